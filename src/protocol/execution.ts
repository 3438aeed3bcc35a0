import type { ErrorCode } from './errors.ts';

/** How a script ran. */
export interface ExecutionRecord {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended it or it could not be started; 124 after the limit of time. */
  readonly exitCode: number | null;
  /** ms. */
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** There was more output than is kept; the script was ended then. */
  readonly truncated: boolean;
  /** What the sandbox kept it from: memory, processes, hosts. */
  readonly notes?: readonly string[];
  /** Why it did not run to its own end: `spawn_failed`, `timeout`, `output_limit` or `interrupted`. A script that ends with an exit code of its own has run, whatever that is. */
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}
