/** What was removed. */
export interface CleanedWorks {
  readonly evaluations: number;
  readonly enhancements: number;
  /** Sessions of runs, without those of their sub-agents. */
  readonly sessions: number;
  /** Drafts of the skill agent that did not become a skill. */
  readonly drafts: number;
}
