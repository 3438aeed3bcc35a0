import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー';
const PIECES = new RegExp(`[${CJK}]+|(?:(?![${CJK}])[\\p{L}\\p{N}])+`, 'gu');
/** English with its usual punctuation, arrows and most pictographs, which is split several times as fast; the result is the same. */
const PLAIN = /^[\x00-\x7f\u2010-\u2027\u2030-\u205e\u2190-\u245f\u2500-\u2767\u2794-\u2bff\u{1f400}-\u{1fbff}]*$/u;
/** What `stem` may change. */
const WITH_ENDING = /^[a-z]{4,}$/;
const CJK_PIECE = new RegExp(`^[${CJK}]`, 'u');

/**
 * The words of a text for matching, in their order: case and width folded, camelCase and hyphens split, English endings
 * taken off, everyday words left out; Chinese, Japanese and Korean as single characters and pairs of them. `stems`
 * remembers the words whose endings were taken off: for many texts, which have most words in common, give the same one.
 */
export function termsOf(text: string, stems: Map<string, string> = new Map()): string[] {
  const terms: string[] = [];
  for (const piece of piecesOf(text)) {
    if (STOP_WORDS.has(piece)) continue;
    if (!WITH_ENDING.test(piece)) terms.push(...(isCjk(piece) ? charactersAndPairs(piece) : [piece]));
    else terms.push(remembered(piece, stems));
  }
  return terms;
}

function remembered(word: string, stems: Map<string, string>): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stemmed = stem(word);
  stems.set(word, stemmed);
  return stemmed;
}

/** Runs of letters and digits in lower case; those in Chinese, Japanese or Korean writing end where other letters begin. */
export function piecesOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return text.normalize('NFKC').replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase().match(PIECES) ?? [];
}

/** True for a piece or a term in Chinese, Japanese or Korean writing. */
export function isCjk(piece: string): boolean {
  return CJK_PIECE.test(piece);
}

function charactersAndPairs(piece: string): string[] {
  const characters = Array.from(piece);
  return [...characters, ...characters.slice(1).map((character, i) => `${characters[i] ?? ''}${character}`)];
}
