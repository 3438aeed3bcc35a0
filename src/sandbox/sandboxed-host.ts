import fs from 'node:fs';
import type { CommandExit, CommandRequest, Host, RunningCommand } from '../host/host.ts';
import { bubblewrapArgs, type Guard } from './bubblewrap-args.ts';
import type { GuardKeeper } from './guards.ts';
import { messageOf } from '../protocol/errors.ts';
import { COMMAND_LIMITS, type CommandLimits, type HeldLimits, type Limiter } from './limits/command-limits.ts';
import { watchRefusals } from './network/refused-hosts.ts';
import type { NetworkEntrance } from './network/session-network.ts';
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
  /** Limits each command to `limits`, or the usual ones; asked for with the first. Commands have no bounds but those of the system when left out. */
  readonly limiter?: () => Limiter;
  readonly limits?: CommandLimits;
  /** The network of the session, as the rules are at each command; one of its own for each command when left out. */
  readonly network?: { open(): Promise<NetworkEntrance | undefined> };
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
  return {
    ...host,
    start: (command) => startInside(host, command, options),
    prepareCommands: () => void options.network?.open().catch(() => undefined),
  };
}

function startInside(host: Host, command: CommandRequest, options: SandboxedHostOptions): RunningCommand {
  const { network } = options;
  if (!network) return startIn(host, command, options);
  // Nobody waits for the start itself, so what goes wrong with it is how the command ended.
  const started = network.open()
    .then((entrance) => startIn(host, command, { ...options, ...(entrance ? { entrance } : {}) }))
    .catch((error: unknown) => notStarted(messageOf(error)));
  return {
    exit: started.then((running) => running.exit),
    stop: async (graceMs) => (await started).stop(graceMs),
  };
}

interface StartOptions extends SandboxedHostOptions {
  /** How the command comes into the network of its session. */
  readonly entrance?: NetworkEntrance;
}

function startIn(host: Host, command: CommandRequest, options: StartOptions): RunningCommand {
  const { bubblewrap, forbidNested, entrance } = options;
  const policy = options.policy();
  const moved = movedFolder(policy);
  if (moved !== undefined) return notStarted(`the folder ${moved} is not where it was: something was put in its place; start the session anew`);
  const held = holdAll(policy, options);
  const args = bubblewrapArgs(policy, { argv: [...(held.limits?.inside ?? []), ...command.argv], cwd: command.cwd, guards: held.guards, forbidNested, inNetwork: entrance !== undefined });
  const watch = watchStart(command, entrance);
  try {
    const argv = [...(held.limits?.outside ?? []), ...(entrance?.enter ?? []), bubblewrap, ...args];
    const running = host.start({ ...command, argv, env: { ...environmentInside(command.env), ...entrance?.env }, onOutput: watch.onOutput });
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
    return { ...kept, limits: limiter?.().hold(limits) };
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
    // It takes the kernel longer than the result may wait; what fails of it is told by the limiter's close.
    limits?.release().catch(() => undefined);
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

/** Tells a command that bubblewrap could not start from one that ran and failed, and finds the hosts that it was kept from. */
function watchStart(command: CommandRequest, entrance: NetworkEntrance | undefined): { readonly onOutput: NonNullable<CommandRequest['onOutput']>; readonly read: (exit: CommandExit) => CommandExit } {
  let first: string | undefined;
  const refusals = watchRefusals();
  return {
    onOutput: (chunk, stream) => {
      if (stream === 'stderr' && first === undefined) first = new TextDecoder().decode(chunk.subarray(0, 500));
      refusals.add(chunk);
      command.onOutput?.(chunk, stream);
    },
    read: (exit) => {
      if (exit.code === 1 && first?.startsWith('bwrap: ')) return { ...exit, error: `the sandbox could not start ${command.argv[0] ?? 'the command'}: ${first.slice('bwrap: '.length).trim()}` };
      const hosts = exit.code === 0 ? [] : [...new Set([...(entrance?.refused() ?? []), ...refusals.hosts()])];
      return hosts.length === 0 ? exit : { ...exit, refusedHosts: hosts };
    },
  };
}
