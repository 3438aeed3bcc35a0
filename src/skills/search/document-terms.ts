import { BODY_HEAD_CHARS, type IndexText } from './index-text.ts';
import { withoutExclusions } from './without-exclusions.ts';
import { termsOf } from './words.ts';

/** The words of a skill with their impact, 1 to 255. It depends on this skill alone, never on the others of a collection. */
export type DocumentTerms = ReadonlyMap<string, number>;

/** The impact of a word that fills the whole text: no word has more. */
export const MOST_IMPACT = 255;

/** How much one occurrence counts, and how many words such a text usually has: in a longer one each counts less. */
interface Field {
  readonly weight: number;
  readonly usualLength: number;
}

const NAME: Field = { weight: 3, usualLength: 3 };
const DESCRIPTION: Field = { weight: 1, usualLength: 45 };
const TAGS: Field = { weight: 1, usualLength: 6 };
const BODY: Field = { weight: 0.25, usualLength: 200 };
/** 0: the length of a text does not matter; 1: a text of twice the length needs a word twice as often. */
const LENGTH_WEIGHT = 0.6;
/** The count of occurrences at which half the most possible impact is reached. */
const SATURATION = 1.6;

/**
 * The words of a skill, each with how much it says about the skill (BM25F with usual lengths in place of the collection's
 * averages, in whole numbers so that a stored index and one in memory rank alike). `stems`: see `termsOf`.
 */
export function documentTerms({ name, description, whenToUse, tags = [], body = '' }: IndexText, stems?: Map<string, string>): DocumentTerms {
  const counts = new Map<string, number>();
  const add = (text: string, { weight, usualLength }: Field): void => {
    const terms = termsOf(text, stems);
    const each = weight / (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * terms.length) / usualLength);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + each);
  };
  add(name, NAME);
  add(withoutExclusions(`${description} ${whenToUse ?? ''}`), DESCRIPTION);
  add(tags.join(' '), TAGS);
  add(body.slice(0, BODY_HEAD_CHARS), BODY);
  return new Map([...counts].map(([term, count]) => [term, Math.max(1, Math.round((MOST_IMPACT * count) / (count + SATURATION)))]));
}
