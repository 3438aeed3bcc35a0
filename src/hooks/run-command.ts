import type { CommandRequest, Host, RunningCommand } from '../host/host.ts';
import { messageOf } from '../protocol/errors.ts';

/** Output beyond this is not kept; a decision is far shorter. */
const MOST_STDOUT_BYTES = 1024 * 1024;
const MOST_STDERR_BYTES = 64 * 1024;

/** A command of a hook, ready to start. */
export interface HookCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly timeoutMs: number;
}

/** How it ended. `cut`: there was more output than is kept. */
export type HookEnd =
  | { readonly kind: 'exit'; readonly code: number; readonly stdout: string; readonly stderr: string; readonly cut: boolean }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' };

/** Runs a command to its end, its limit or the end of the turn; at the latter two its whole process tree is ended. */
export async function runHookCommand(host: Pick<Host, 'start' | 'clock'>, command: HookCommand, signal: AbortSignal): Promise<HookEnd> {
  if (signal.aborted) return { kind: 'cancelled' };
  const { argv, cwd, env, stdin } = command;
  const stdout = keeper(MOST_STDOUT_BYTES);
  const stderr = keeper(MOST_STDERR_BYTES);
  const running = started(host, { argv, cwd, env, stdin, onOutput: (chunk, stream) => (stream === 'stdout' ? stdout : stderr).add(chunk) });
  if (typeof running === 'string') return { kind: 'failed', problem: `it could not be started: ${running}` };
  const over = new AbortController();
  const limit = host.clock.sleep(command.timeoutMs, AbortSignal.any([over.signal, signal])).then(() => 'limit' as const);
  const first = await Promise.race([running.exit, limit]);
  over.abort('over');
  if (first === 'limit') {
    await running.stop();
    return { kind: signal.aborted ? 'cancelled' : 'timeout' };
  }
  if (first.error !== undefined) return { kind: 'failed', problem: `it could not be started: ${first.error}` };
  if (first.code === null) return { kind: 'failed', problem: `it was ended by signal ${first.signal ?? 'unknown'}` };
  return { kind: 'exit', code: first.code, stdout: stdout.text(), stderr: stderr.text(), cut: stdout.isCut() };
}

/** The command, or why there is none. */
function started(host: Pick<Host, 'start'>, request: CommandRequest): RunningCommand | string {
  try {
    return host.start(request);
  } catch (error) {
    return messageOf(error);
  }
}

interface Keeper {
  add(chunk: Uint8Array): void;
  text(): string;
  isCut(): boolean;
}

function keeper(most: number): Keeper {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  return {
    add(chunk) {
      if (bytes < most) text += decoder.decode(chunk.subarray(0, most - bytes), { stream: true });
      bytes += chunk.length;
    },
    text: () => text + decoder.decode(),
    isCut: () => bytes > most,
  };
}
