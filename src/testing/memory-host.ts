import type { CommandExit, CommandRequest, Host } from '../host/host.ts';
import { messageOf } from '../protocol/errors.ts';
import { manualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';
import { memoryFiles } from './memory-files.ts';
import type { MemoryFiles } from './memory-files.ts';
import { memorySearch } from './memory-search.ts';

/** What a command of a memory host does: output and exit status (0 unless given). `signal` aborts when it is stopped. */
export type CommandHandler = (
  request: CommandRequest,
  signal: AbortSignal,
) => MemoryCommandResult | Promise<MemoryCommandResult>;

/** Result of a command handler. */
export interface MemoryCommandResult {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly code?: number;
}

/** A host that exists in memory alone. */
export interface MemoryHost extends Host {
  readonly clock: ManualClock;
  readonly memory: MemoryFiles;
  /** Every command that was started, in order. */
  readonly commands: readonly CommandRequest[];
}

/** Makes a host with the given files (absolute POSIX path → content); without a handler no command can be started. */
export function memoryHost(options: {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly command?: CommandHandler;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: Host['platform'];
  /** Time at the start, ms since 1970. */
  readonly now?: number;
} = {}): MemoryHost {
  const clock = manualClock(options.now);
  const memory = memoryFiles(options.files ?? {}, clock.now);
  const commands: CommandRequest[] = [];
  return {
    platform: options.platform ?? 'linux',
    files: memory.files,
    tree: memory.tree,
    search: memorySearch(memory),
    clock,
    env: options.env ?? {},
    memory,
    commands,
    start: (request) => {
      commands.push(request);
      const stopped = new AbortController();
      const exit = runHandler(request, options.command, stopped.signal);
      return {
        exit,
        stop: async () => {
          stopped.abort();
          await exit;
        },
      };
    },
  };
}

async function runHandler(request: CommandRequest, handler: CommandHandler | undefined, signal: AbortSignal): Promise<CommandExit> {
  if (handler === undefined) return { code: null, signal: null, error: `the program ${request.argv[0] ?? ''} was not found` };
  const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
  try {
    const result = await Promise.race([Promise.resolve(handler(request, signal)), stopped]);
    if (result === undefined) return { code: null, signal: 'SIGTERM' };
    const encoder = new TextEncoder();
    if (result.stdout !== undefined) request.onOutput?.(encoder.encode(result.stdout), 'stdout');
    if (result.stderr !== undefined) request.onOutput?.(encoder.encode(result.stderr), 'stderr');
    return { code: result.code ?? 0, signal: null };
  } catch (error) {
    return { code: null, signal: null, error: messageOf(error) };
  }
}
