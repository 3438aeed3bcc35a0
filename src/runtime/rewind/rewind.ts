import type { RewindPlan, RewindPoint, RewindResult } from '../../protocol/rewind.ts';

/** Takes a session back to before a message of the person: its files, and the conversation in a copy that ends there. */
export interface RewindService {
  /** Oldest first. */
  points(): Promise<readonly RewindPoint[]>;
  /** What going back to before a message would do. @throws SkillmintError not_found where no message of the person has that number */
  plan(seq: number): Promise<RewindPlan>;
  /**
   * Goes back. A file that somebody else has changed since stays as it is unless `overwrite`; one that cannot be written stays,
   * too, and the result says why. @throws SkillmintError not_found, session_busy while a turn or an agent in the background runs
   */
  run(seq: number, options: { readonly overwrite: boolean }): Promise<RewindResult>;
}
