import type { CommandExit, CommandRequest, Host, RunningCommand } from '../host/host.ts';
import { cutEnd } from '../util/cut-text.ts';

/** At the end of a session nobody waits longer than this for a shell that ignores the request to end. */
const LAST_GRACE_MS = 1_000;
/** Characters of unread output that one shell keeps. */
const MOST_OUTPUT = 1 << 20;

/** What a background shell does. */
export type ShellState =
  | { readonly state: 'running' }
  | { readonly state: 'ended'; readonly exit: CommandExit; readonly stopped: boolean };

/** Output since the last look, with the number of characters that were dropped because nobody looked in time. */
export interface ShellOutput {
  readonly command: string;
  readonly output: string;
  readonly dropped: number;
  readonly status: ShellState;
}

/** Commands of one session that run on after their tool call has ended. Ended ones stay known until `stopAll`. */
export interface BackgroundShells {
  /** Ids of all shells, oldest first. */
  ids(): readonly string[];
  /** Ids of those that run. */
  running(): readonly string[];
  /** Starts a command on a host; returns its id. */
  start(host: Host, command: string, request: Omit<CommandRequest, 'onOutput'>): string;
  /** New output and status; undefined for an unknown id. */
  read(id: string): ShellOutput | undefined;
  /** Ends a shell with its whole process tree; false for an unknown id or one that has ended. */
  stop(id: string): Promise<boolean>;
  /** Ends all shells at once and forgets them. */
  stopAll(): Promise<void>;
}

/** Makes the register of one session. Ids are `bash_1`, `bash_2` … unless `newId` makes others. */
export function backgroundShells(options: { readonly newId?: (count: number) => string } = {}): BackgroundShells {
  const newId = options.newId ?? ((count: number) => `bash_${count}`);
  const shells = new Map<string, Shell>();
  let count = 0;
  return {
    ids: () => [...shells.keys()],
    running: () => [...shells].filter(([, shell]) => shell.status().state === 'running').map(([id]) => id),
    start(host, command, request) {
      const id = newId(++count);
      shells.set(id, startShell(host, command, request));
      return id;
    },
    read: (id) => shells.get(id)?.read(),
    async stop(id) {
      const shell = shells.get(id);
      if (shell === undefined || shell.status().state === 'ended') return false;
      await shell.stop();
      return true;
    },
    async stopAll() {
      const all = [...shells.values()];
      shells.clear();
      await Promise.all(all.map((shell) => shell.stop(LAST_GRACE_MS)));
    },
  };
}

interface Shell {
  read(): ShellOutput;
  status(): ShellState;
  stop(graceMs?: number): Promise<void>;
}

function startShell(host: Host, command: string, request: Omit<CommandRequest, 'onOutput'>): Shell {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let unread = '';
  let dropped = 0;
  let exit: CommandExit | undefined;
  let stopped = false;
  const keep = (text: string): void => {
    unread += text;
    // Cutting at twice the limit makes the cost of cutting small against that of the output.
    if (unread.length > 2 * MOST_OUTPUT) trim();
  };
  const trim = (): void => {
    const kept = cutEnd(unread, MOST_OUTPUT);
    dropped += unread.length - kept.length;
    unread = kept;
  };
  const running: RunningCommand = host.start({ ...request, onOutput: (chunk, stream) => keep(decoders[stream].decode(chunk, { stream: true })) });
  const ended = running.exit.then((how) => {
    keep(decoders.stdout.decode() + decoders.stderr.decode());
    exit = how;
  });
  const status = (): ShellState => (exit === undefined ? { state: 'running' } : { state: 'ended', exit, stopped });
  return {
    status,
    read() {
      trim();
      const result = { command, output: unread, dropped, status: status() };
      unread = '';
      dropped = 0;
      return result;
    },
    async stop(graceMs) {
      if (exit === undefined) {
        stopped = true;
        await running.stop(graceMs);
      }
      await ended;
    },
  };
}
