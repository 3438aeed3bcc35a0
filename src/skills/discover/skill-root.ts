import type { SkillDiagnostic } from '../../protocol/skill.ts';

/** A folder in which skills are looked for. */
export interface SkillRoot {
  readonly folder: string;
  /** `memory`, `project`, `user`, `env`, `bundled`, `plugin:NAME` or `npm:PACKAGE`. */
  readonly source: string;
  /** Who named it, for messages; undefined for the usual places, which may be missing. */
  readonly namedBy: string | undefined;
  /** `commands`: each .md file in it, or it itself, is a skill that only a person can call. Left out: folders with a SKILL.md. */
  readonly kind?: 'commands';
  /** Stands before the names of its commands. */
  readonly prefix?: string;
  /** Folders in it with a `.claude-plugin/plugin.json` are plugins. */
  readonly holdsPlugins?: boolean;
  /** Folder of the plugin that it belongs to; what leads out of that is left out. */
  readonly pluginRoot?: string;
  /** Folders of skills can hold further skills. */
  readonly nested?: boolean;
  /** Real paths of folders that links may lead to without a word. */
  readonly linksWithin?: readonly string[];
  /** Findings about all skills in it. */
  readonly diagnostics?: readonly SkillDiagnostic[];
}

/** A root, folder or file that could not be read, for a person. */
export interface SkillProblem {
  readonly path: string;
  readonly message: string;
}

/** Folder below a root in which changes are prepared; what lies there is no skill yet, or no longer. */
export const WORK_FOLDER = '.skillmint-work';
