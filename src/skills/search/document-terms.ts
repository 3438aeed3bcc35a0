import type { IndexText } from './index-text.ts';
import { termsOf } from './words.ts';

/** The words of a skill with their impact, 1 to 255. It depends on this skill alone, never on the others of a collection. */
export type DocumentTerms = ReadonlyMap<string, number>;

const BODY_HEAD_CHARS = 2_000;
const SATURATION = 1.2;
const MOST_IMPACT = 255;

/** The words of a skill: each with how much it says about the skill. */
export function documentTerms({ name, description, whenToUse = '', tags = [], body = '' }: IndexText): DocumentTerms {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number, usual: number): void => {
    const terms = termsOf(text);
    const each = weight / (0.4 + (0.6 * terms.length) / usual);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + each);
  };
  add(name, 3, 3);
  add(`${description} ${whenToUse}`, 1, 30);
  add(tags.join(' '), 1, 8);
  add(body.slice(0, BODY_HEAD_CHARS), 0.25, 200);
  const impacts = new Map<string, number>();
  for (const [term, count] of counts) impacts.set(term, Math.max(1, Math.round((MOST_IMPACT * count) / (count + SATURATION))));
  return impacts;
}
