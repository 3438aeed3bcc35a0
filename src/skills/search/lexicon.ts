import fs from 'node:fs';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';

/** A word that means nearly the same, as `termsOf` gives it, and how well it stands for the other: above 0, below 1. */
export interface RelatedTerm {
  readonly term: string;
  readonly weight: number;
}

/**
 * A dictionary from Chinese words, as they are written, to English terms, and from English terms to related ones.
 * Read from a file at its opening, so that it can be asked without waiting.
 */
export interface Lexicon {
  /** English terms for a Chinese word or an English term; empty for an unknown one. */
  lookup(key: string): readonly RelatedTerm[];
  /** True when a key of the dictionary begins with this. */
  hasPrefix(prefix: string): boolean;
}

const LINE_END = 10;
const TAB = 9;

/**
 * Opens the dictionary that the build writes: lines `key TAB term:percent term:percent …` in the order of their bytes.
 * Nothing is parsed until it is asked for.
 * @throws SkillmintError `io` when the file cannot be read.
 */
export function openLexicon(file: string): Lexicon {
  const data = read(file);
  return {
    lookup: (key) => {
      const wanted = Buffer.from(key);
      const at = firstLineFrom(data, wanted);
      const end = at + wanted.length;
      return data[end] === TAB && wanted.compare(data, at, end) === 0 ? relatedTerms(data.toString('utf8', end + 1, lineEnd(data, end))) : [];
    },
    hasPrefix: (prefix) => {
      const wanted = Buffer.from(prefix);
      const at = firstLineFrom(data, wanted);
      return wanted.compare(data, at, Math.min(data.length, at + wanted.length)) === 0;
    },
  };
}

function read(file: string): Buffer {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    throw new SkillmintError('io', `The dictionary for searching skills cannot be read: ${messageOf(error)}. Install skillmint again; in its source folder, run: npm run build`, { cause: error });
  }
}

/** Place of the first line that is not before `wanted`; the end of the data when all are. */
function firstLineFrom(data: Buffer, wanted: Buffer): number {
  let low = 0;
  let high = data.length;
  while (low < high) {
    const start = data.lastIndexOf(LINE_END, ((low + high) >> 1) - 1) + 1;
    const line = Math.max(start, low);
    const end = lineEnd(data, line);
    if (wanted.compare(data, line, Math.min(end, line + wanted.length)) > 0) low = Math.min(end + 1, high);
    else high = line;
  }
  return low;
}

function lineEnd(data: Buffer, from: number): number {
  const end = data.indexOf(LINE_END, from);
  return end < 0 ? data.length : end;
}

function relatedTerms(text: string): readonly RelatedTerm[] {
  return text.split(' ').map((each) => {
    const [term = '', percent = ''] = each.split(':');
    return { term, weight: Number(percent) / 100 };
  });
}
