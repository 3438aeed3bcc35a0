import type { JsonObject } from '../../protocol/json.ts';
import type { SkillRoot } from '../../skills/discover/skill-root.ts';

/** A skill that the embedding program brings, without a folder. It has the id `memory:NAME`, comes before those of folders, and is trusted. */
export interface GivenSkill {
  readonly name: string;
  /** What it does and when to use it, at most 1,024 characters. */
  readonly description: string;
  /** The body in Markdown. */
  readonly instructions: string;
  /** Further fields of the frontmatter. */
  readonly frontmatter?: JsonObject;
  /** Scripts, references and whatever else belongs to it, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** Gives the skills for a folder; asked at the start of each turn and of each listing, so it should be quick; one that has not given all of them after 30 s has failed. */
export type SkillSource = (place: { readonly cwd: string }) => Promise<readonly GivenSkill[]> | AsyncIterable<GivenSkill>;

/** What is given, as folders. */
export interface GivenSkills {
  /** Where the skills for a folder lie now. @throws SkillmintError usage or install_refused for one that is no skill */
  readonly roots: (cwd: string) => Promise<readonly SkillRoot[]>;
  /** Removes the folders. */
  readonly close: () => Promise<void>;
}
