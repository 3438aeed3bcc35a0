import { isObject } from '../../protocol/json.ts';
import type { SkillFrontmatter } from '../read/fields.ts';

/** What of a skill is searched. */
export interface IndexText {
  readonly name: string;
  readonly description: string;
  readonly whenToUse?: string | undefined;
  /** Words of the author or the model for this skill, such as `tags`, `keywords` or `triggers` of the frontmatter. */
  readonly tags?: readonly string[] | undefined;
  /** The instructions, or their beginning; only the head of it counts. */
  readonly body?: string | undefined;
}

const TAG_FIELDS = ['tags', 'keywords', 'triggers', 'trigger', 'category', 'categories'] as const;
const MOST_TAGS = 40;
/** So much of the instructions is searched. */
export const BODY_HEAD_CHARS = 2_000;

/** The parts of a skill that its searched text is made of. */
export interface SearchedSkill {
  readonly name: string;
  readonly description: string;
  readonly frontmatter: Pick<SkillFrontmatter, 'whenToUse' | 'metadata' | 'other'>;
}

/** What of a skill is searched: with the tags that its author gave, at the top of the frontmatter or in its metadata. */
export function indexText({ name, description, frontmatter }: SearchedSkill, body: string): IndexText {
  const metadata = isObject(frontmatter.metadata) ? frontmatter.metadata : {};
  const tags = TAG_FIELDS.flatMap((field) => [...texts(frontmatter.other[field]), ...texts(metadata[field])]);
  return { name, description, whenToUse: frontmatter.whenToUse, tags: tags.slice(0, MOST_TAGS), body };
}

/** A text or a list of them. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
