import type { ExceededLimits } from '../../host/host.ts';

/** What one command, with everything that it starts, may use at most. */
export interface CommandLimits {
  /** MiB of memory. */
  readonly memoryMb: number;
  /** Processes and threads. */
  readonly processes: number;
}

/** What holds unless the settings say otherwise. */
export const COMMAND_LIMITS: CommandLimits = { memoryMb: 1024, processes: 256 };

/** How limits are enforced. `rlimits`: memory for each process by itself; `none`: not at all. */
export type LimitMechanism = 'cgroup v2' | 'cgroup v1' | 'rlimits' | 'none';

/** Limits of one command, to be given back when it has ended. */
export interface HeldLimits {
  /** Stands before bubblewrap and all its arguments. */
  readonly outside: readonly string[];
  /** Stands before the command's own words, in the sandbox. */
  readonly inside: readonly string[];
  /** Which limits stopped something so far; undefined for none. */
  exceeded(): ExceededLimits | undefined;
  /** Ends what is left of the command and removes what was made for it; nobody has to wait for that. */
  release(): Promise<void>;
}

/** What limits the commands of this process. */
export interface Limiter {
  readonly mechanism: LimitMechanism;
  /** What holds, in one line for people. */
  readonly line: string;
  hold(limits: CommandLimits): HeldLimits;
  /** Waits until everything that was given back is gone. */
  close(): Promise<void>;
}
