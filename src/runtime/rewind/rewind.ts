import type { RewindPlan, RewindPoint, RewindResult } from '../../protocol/rewind.ts';

/** What is taken back, and how far. */
export interface RewindOptions {
  /** Also sets back files that somebody else has changed since. */
  readonly overwrite: boolean;
  /** False: files stay as they are. */
  readonly files?: boolean;
  /** False: the conversation goes on in the same session, which notes what became of its files. */
  readonly conversation?: boolean;
}

/** Takes a session back to before a message of the person, named by its number or by the id of the turn that it has begun: its files, and the conversation in a copy that ends there. */
export interface RewindService {
  /** Oldest first. */
  points(): Promise<readonly RewindPoint[]>;
  /** What going back to before a message would do. @throws SkillmintError not_found where no message of the person has that number */
  plan(to: number | string): Promise<RewindPlan>;
  /**
   * Goes back. A file that somebody else has changed since stays as it is unless `overwrite`; one that cannot be written stays,
   * too, and the result says why. @throws SkillmintError not_found, session_busy while a turn or an agent in the background runs, permission_denied for a session outside of a member's workspace, usage where nothing is to be taken back
   */
  run(to: number | string, options: RewindOptions): Promise<RewindResult>;
}
