import fs from 'node:fs';
import type { CommandExit, CommandRequest, Host, RunningCommand } from '../host/host.ts';
import { bubblewrapArgs, type Guard } from './bubblewrap-args.ts';
import type { GuardKeeper } from './guards.ts';
import { COMMAND_LIMITS, type CommandLimits, type HeldLimits, type Limiter } from './limits/command-limits.ts';
import { isWithin } from './places.ts';
import type { SandboxPolicy } from './policy.ts';

/** How commands are put into the sandbox. */
export interface SandboxedHostOptions {
  /** Absolute path of bubblewrap. */
  readonly bubblewrap: string;
  /** Asked for at each command, since a session's folders and skills change. */
  readonly policy: () => SandboxPolicy;
  readonly guards: GuardKeeper;
  /** See `BubblewrapCommand.forbidNested`; the probe's report says it. */
  readonly forbidNested: boolean;
  /** Limits each command to `limits`, or the usual ones; commands have no bounds but those of the system when left out. */
  readonly limiter?: Limiter;
  readonly limits?: CommandLimits;
}

/** Variables that name folders which are not there inside. */
const LEFT_OUT: ReadonlySet<string> = new Set(['XDG_RUNTIME_DIR', 'SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS']);

/** Caches go where a command may write. */
const TEMPORARY = { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.npm' };

/**
 * The same host, but its commands run inside the sandbox; files, search and clock are passed through, since tools use
 * them under the permission engine. Ending the command ends everything it started, whatever group or session that is in.
 */
export function sandboxed(host: Host, options: SandboxedHostOptions): Host {
  return { ...host, start: (command) => startInside(host, command, options) };
}

function startInside(host: Host, command: CommandRequest, options: SandboxedHostOptions): RunningCommand {
  const policy = options.policy();
  const moved = movedFolder(policy);
  if (moved !== undefined) return notStarted(`the folder ${moved} is not where it was: something was put in its place; start the session anew`);
  const held = holdAll(policy, options);
  const args = bubblewrapArgs(policy, { argv: [...(held.limits?.inside ?? []), ...command.argv], cwd: command.cwd, guards: held.guards, forbidNested: options.forbidNested });
  const watch = watchStart(command);
  try {
    const running = host.start({ ...command, argv: [...(held.limits?.outside ?? []), options.bubblewrap, ...args], env: environmentInside(command.env), onOutput: watch.onOutput });
    const exit = ended(running.exit.then(watch.read), held);
    return {
      exit,
      stop: async (graceMs) => {
        await running.stop(graceMs);
        await exit;
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
}

interface Held {
  readonly guards: readonly Guard[];
  readonly limits: HeldLimits | undefined;
  readonly release: () => void;
}

/** What is made for one command. */
function holdAll(policy: SandboxPolicy, { guards, limiter, limits = COMMAND_LIMITS }: SandboxedHostOptions): Held {
  const kept = guards.hold(policy.guarded);
  try {
    return { ...kept, limits: limiter?.hold(limits) };
  } catch (error) {
    kept.release();
    throw error;
  }
}

/** Gives all of it back when the command has ended. */
async function ended(exit: Promise<CommandExit>, { limits, release }: Held): Promise<CommandExit> {
  try {
    const how = await exit;
    const exceeded = limits?.exceeded();
    await limits?.release();
    return exceeded === undefined ? how : { ...how, exceeded };
  } finally {
    release();
  }
}

function notStarted(problem: string): RunningCommand {
  return { exit: Promise.resolve({ code: null, signal: null, error: problem }), stop: () => Promise.resolve() };
}

/** A command may have put a symlink in the place of a folder; a mount would follow it out of the workspace. */
function movedFolder({ writable, guarded, readable }: SandboxPolicy): string | undefined {
  const reachable = readable.filter((folder) => writable.some((other) => isWithin(other, folder)));
  const moved = (folder: string): boolean => fs.existsSync(folder) && fs.realpathSync(folder) !== folder;
  return [...writable, ...guarded].find((folder) => !fs.existsSync(folder) || moved(folder)) ?? reachable.find(moved);
}

function environmentInside(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !LEFT_OUT.has(name));
  return { ...Object.fromEntries(kept), ...TEMPORARY };
}

/** Tells a command that bubblewrap could not start from one that ran and failed. */
function watchStart(command: CommandRequest): { readonly onOutput: NonNullable<CommandRequest['onOutput']>; readonly read: (exit: CommandExit) => CommandExit } {
  let first: string | undefined;
  return {
    onOutput: (chunk, stream) => {
      if (stream === 'stderr' && first === undefined) first = new TextDecoder().decode(chunk.subarray(0, 500));
      command.onOutput?.(chunk, stream);
    },
    read: (exit) => (exit.code === 1 && first?.startsWith('bwrap: ') ? { ...exit, error: `the sandbox could not start ${command.argv[0] ?? 'the command'}: ${first.slice('bwrap: '.length).trim()}` } : exit),
  };
}
