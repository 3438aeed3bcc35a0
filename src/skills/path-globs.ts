import { expandBraces, matchesGlob } from '../util/glob.ts';

/** A glob of a skill's `paths`: `variants` are its segments, once for each choice of its braces. */
interface PathGlob {
  /** Compared with the name of a file alone, at any depth. */
  readonly isName: boolean;
  readonly variants: readonly (readonly string[])[];
}

/** The globs of a skill. */
export interface PathGlobs {
  readonly globs: readonly PathGlob[];
  /** Those that are not used, each with the reason, in a sentence. */
  readonly problems: readonly string[];
}

/** Characters of one glob. */
const LONGEST = 500;
const MOST_BRACES = 16;
/** Characters of all globs of a skill, braces written out: the time to compare them with a file grows with this alone. */
const MOST_CHARACTERS = 10_000;

/** Parses globs that a stranger may have written: `*` and `?` within a name, `**` over folders, `{a,b}`, `[abc]`, a leading `./`. */
export function parsePathGlobs(texts: readonly string[]): PathGlobs {
  const globs: PathGlob[] = [];
  const problems: string[] = [];
  let room = MOST_CHARACTERS;
  for (const [i, text] of texts.entries()) {
    const parsed = parseGlob(text);
    room -= typeof parsed === 'string' ? Math.min(text.length, LONGEST) : parsed.variants.flat().reduce((sum, segment) => sum + segment.length + 1, 0);
    if (room < 0) {
      problems.push(`of paths, only the first ${i} of ${texts.length} globs are used: all together are longer than ${MOST_CHARACTERS.toLocaleString('en')} characters`);
      break;
    }
    if (typeof parsed === 'string') problems.push(`the glob ${JSON.stringify(text.slice(0, 60))} of paths is not used: ${parsed}`);
    else globs.push(parsed);
  }
  return { globs, problems };
}

/** True when one of the globs fits a relative path, with slashes. */
export function matchesPathGlobs({ globs }: PathGlobs, file: string): boolean {
  const segments = file.split('/');
  return globs.some(({ isName, variants }) => variants.some((variant) => matchesGlob(variant, isName ? segments.slice(-1) : segments, { below: false, sets: true })));
}

function parseGlob(text: string): PathGlob | string {
  if (text.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  if (/^!|[@!+?*]\(|\\/.test(text)) return 'use *, ?, **, {a,b} and [abc] only';
  const anchored = text.replace(/^(?:\.?\/)+/, '');
  const variants = anchored.split('{').length > MOST_BRACES + 1 ? undefined : expandBraces(anchored);
  if (!variants) return 'a brace stays open, or it stands for too many paths';
  return { isName: !anchored.includes('/'), variants: variants.map((variant) => variant.split('/').filter((segment) => segment !== '')) };
}
