/** What became of a SKILL.md that was found. Nothing found is ever left without one. */
export type SkillStatus = 'loaded' | 'repaired' | 'shadowed' | 'hidden' | 'rejected';

/** One finding about a SKILL.md; `code` is stable, `fix` is the corrected text where there is one. */
export interface SkillDiagnostic {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly fix?: string;
}

/** A skill as listings show it. */
export interface SkillSummary {
  /** `source:name`, unique among loaded skills. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `project`, `user`, `env`, `bundled` or `plugin:NAME`. */
  readonly source: string;
  /** Absolute path of the SKILL.md. */
  readonly path: string;
  readonly status: SkillStatus;
  readonly reason?: string;
  readonly enabled: boolean;
  /** Set for a skill about skills. */
  readonly type?: 'meta';
  /** `sha256:` over all files of the skill. */
  readonly digest: string;
}

/** Why a skill became active. */
export type SkillTrigger = 'model' | 'user' | 'router' | 'path' | 'bound';

/** A skill that was installed, or would be. */
export interface InstalledSkill {
  readonly name: string;
  readonly id: string;
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  readonly digest: string;
  readonly replaced: boolean;
  /** Number of files. */
  readonly files: number;
  readonly warnings: readonly string[];
}
