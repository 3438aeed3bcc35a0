import fs from 'node:fs';
import type { CommandExit, CommandRequest, Host, RunningCommand } from '../host/host.ts';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import { COMMAND_LIMITS, type CommandLimits, type HeldLimits, type Limiter } from './limits/command-limits.ts';
import type { EnclosedCommand, SandboxMechanism } from './mechanism.ts';
import { watchRefusals } from './network/refused-hosts.ts';
import type { NetworkEntrance } from './network/session-network.ts';
import { isWithin } from './places.ts';
import type { SandboxPolicy } from './policy.ts';

/** How commands are put into the sandbox. */
export interface SandboxedHostOptions {
  readonly mechanism: SandboxMechanism;
  /** Asked for at each command, since a session's folders and skills change. */
  readonly policy: () => SandboxPolicy;
  /** Limits each command to `limits`, or the usual ones; asked for with the first. Commands have no bounds but those of the system when left out. */
  readonly limiter?: () => Limiter;
  readonly limits?: CommandLimits;
  /** The network of the session, as the rules are at each command; one of its own for each command when left out. */
  readonly network?: { open(): Promise<NetworkEntrance | undefined> };
}

/** Variables that name folders which are not there inside. */
const LEFT_OUT: ReadonlySet<string> = new Set(['XDG_RUNTIME_DIR', 'SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS']);

/**
 * The same host, but its commands run inside the sandbox; files, search and clock are passed through, since tools use
 * them under the permission engine.
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
  const { mechanism, entrance } = options;
  const policy = options.policy();
  const moved = movedFolder(policy);
  if (moved !== undefined) return notStarted(`the folder ${moved} is not where it was: something was put in its place; start the session anew`);
  const held = hold(policy, command, options);
  if (typeof held === 'string') return notStarted(held);
  const watch = watchStart(command, mechanism, entrance);
  try {
    const running = host.start({ ...command, argv: held.argv, env: { ...environmentInside(command.env), ...held.env, ...entrance?.env }, onOutput: watch.onOutput });
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

interface Held extends EnclosedCommand {
  readonly limits: HeldLimits | undefined;
}

/** Makes what one command needs; a sentence when its policy cannot be brought about. */
function hold(policy: SandboxPolicy, { argv, cwd }: CommandRequest, { mechanism, entrance, limiter, limits = COMMAND_LIMITS }: StartOptions): Held | string {
  const bounds = limiter?.().hold(limits);
  try {
    const enclosed = mechanism.enclose(policy, { argv: [...(bounds?.inside ?? []), ...argv], cwd, entrance });
    return { ...enclosed, argv: [...(bounds?.outside ?? []), ...enclosed.argv], limits: bounds };
  } catch (error) {
    bounds?.release().catch(() => undefined);
    if (error instanceof SkillmintError) return error.message;
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
function movedFolder({ writable, guarded, settled, readable }: SandboxPolicy): string | undefined {
  const reachable = readable.filter((folder) => writable.some((other) => isWithin(other, folder)));
  const moved = (folder: string): boolean => fs.existsSync(folder) && fs.realpathSync(folder) !== folder;
  return [...writable, ...guarded, ...settled].find((folder) => !fs.existsSync(folder) || moved(folder)) ?? reachable.find(moved);
}

function environmentInside(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(kept);
}

/** Tells a command that the sandbox could not start from one that ran and failed, and finds the hosts that it was kept from. */
function watchStart(command: CommandRequest, mechanism: SandboxMechanism, entrance: NetworkEntrance | undefined): { readonly onOutput: NonNullable<CommandRequest['onOutput']>; readonly read: (exit: CommandExit) => CommandExit } {
  let first: string | undefined;
  const refusals = watchRefusals();
  return {
    onOutput: (chunk, stream) => {
      if (stream === 'stderr' && first === undefined) first = new TextDecoder().decode(chunk.subarray(0, 500));
      refusals.add(chunk);
      command.onOutput?.(chunk, stream);
    },
    read: (exit) => {
      const problem = first === undefined ? undefined : mechanism.startProblem(exit, first);
      if (problem !== undefined) return { ...exit, error: `the sandbox could not start ${command.argv[0] ?? 'the command'}: ${problem}` };
      const hosts = exit.code === 0 ? [] : [...new Set([...(entrance?.refused() ?? []), ...refusals.hosts()])];
      return hosts.length === 0 ? exit : { ...exit, refusedHosts: hosts };
    },
  };
}
