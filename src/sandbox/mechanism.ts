import type { CommandExit } from '../host/host.ts';
import type { NetworkEntrance } from './network/session-network.ts';
import type { SandboxPolicy } from './policy.ts';

/** A command that is to run in the sandbox. */
export interface InnerCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** How it comes into the network of its session; it has none to share when left out. */
  readonly entrance: NetworkEntrance | undefined;
}

/** The same command as it has to be started so that it runs inside. */
export interface EnclosedCommand {
  readonly argv: readonly string[];
  /** Variables that lead programs to what they may use inside. */
  readonly env: Readonly<Record<string, string>>;
  /** Gives back what was made for it; to be called once it has ended. */
  readonly release: () => void;
}

/** One way to bring a policy about. */
export interface SandboxMechanism {
  /** Throws a SkillmintError when the policy cannot be brought about, and system errors. */
  enclose(policy: SandboxPolicy, command: InnerCommand): EnclosedCommand;
  /** Why the command was never started, read from how it ended and its first words on stderr; undefined when it was. */
  startProblem(exit: CommandExit, first: string): string | undefined;
}
