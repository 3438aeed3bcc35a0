import { isObject } from '../../protocol/json.ts';
import type { SkillFacts } from '../discover/kept-skill.ts';
import type { IndexText } from '../search/index-text.ts';

const TAG_FIELDS = ['tags', 'keywords', 'triggers', 'trigger', 'category', 'categories'] as const;
const MOST_TAGS = 40;

/** What of a skill is searched. */
export function indexTextOf({ name, description, frontmatter }: SkillFacts, body: string): IndexText {
  const metadata = isObject(frontmatter.metadata) ? frontmatter.metadata : {};
  const tags = TAG_FIELDS.flatMap((field) => [...texts(frontmatter.other[field]), ...texts(metadata[field])]);
  return { name, description, whenToUse: frontmatter.whenToUse, tags: tags.slice(0, MOST_TAGS), body };
}

/** A text or a list of them. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
