/** A folder in which skills are looked for. */
export interface SkillRoot {
  readonly folder: string;
  /** `project`, `user`, `env`, `bundled` or `plugin:NAME`. */
  readonly source: string;
  /** Who named it, for messages; undefined for the usual places, which may be missing. */
  readonly namedBy: string | undefined;
}

/** A root, folder or file that could not be read, for a person. */
export interface SkillProblem {
  readonly path: string;
  readonly message: string;
}

/** Folder below a root in which changes are prepared; what lies there is no skill yet, or no longer. */
export const WORK_FOLDER = '.skillmint-work';
