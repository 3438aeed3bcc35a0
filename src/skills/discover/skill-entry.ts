import type { SkillDiagnostic, SkillStatus, SkillSummary } from '../../protocol/skill.ts';
import type { SkillFrontmatter } from '../read/fields.ts';

/** A skill that was found: what listings show, and what the runtime needs. Its body is read when asked for. */
export interface SkillEntry {
  /** `source:name`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly source: string;
  /** Absolute path of the SKILL.md as it was found. */
  readonly path: string;
  readonly status: SkillStatus;
  /** Set whenever the status is not `loaded`. */
  readonly reason: string | undefined;
  readonly enabled: boolean;
  /** Absolute path of the skill's folder as it was found; of the file itself for a command, which is a single file. */
  readonly folder: string;
  /** Shortest name that leads to this skill: its bare name, or its id where another skill comes first. */
  readonly handle: string;
  readonly frontmatter: SkillFrontmatter;
  /** A meta-skill that no turn is offered; whoever names it gets it. */
  readonly onlyByName?: true;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Folder of the plugin that it belongs to. */
  readonly pluginRoot?: string;
  /** Digest at the time of the search, where that had a use for it; activation takes a new one. */
  readonly digest?: string;
}

/** True for a skill that can be used. */
export function isUsable(entry: SkillEntry): boolean {
  return entry.status === 'loaded' || entry.status === 'repaired';
}

/** True for a skill that the model may be offered. */
export function isOfferable(entry: SkillEntry): boolean {
  return isUsable(entry) && entry.frontmatter.disableModelInvocation !== true && entry.onlyByName !== true;
}

/** True for a skill about skills. */
export function isMeta({ frontmatter }: Pick<SkillEntry, 'frontmatter'>): boolean {
  return frontmatter.type?.toLowerCase() === 'meta';
}

/** The entry as listings show it. */
export function summaryOf(entry: SkillEntry, digest: string): SkillSummary {
  const { id, name, description, source, path, status, reason, enabled } = entry;
  return { id, name, description, source, path, status, ...(reason === undefined ? {} : { reason }), enabled, ...(isMeta(entry) ? { type: 'meta' } : {}), digest };
}
