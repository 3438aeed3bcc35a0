import { cutStart } from '../util/cut-text.ts';
import { similarity } from '../util/similar.ts';

const MOST_LINES = 20_000;
const LONGEST_SHOWN = 200;

/** Why a text was not found in a file, as a hint that lets the next try succeed. */
export function explainMismatch(fileText: string, wanted: string): string {
  if (/^\s*\d+\t/.test(wanted)) return 'old_string begins with a line number: leave out the numbers and the tab that Read shows.';
  const lines = fileText.split(/\r?\n/).slice(0, MOST_LINES);
  const sought = wanted.split(/\r?\n/);
  const loose = findLoosely(lines, sought);
  if (loose !== undefined) {
    return `It differs only in white space from line ${loose + 1}${sought.length > 1 ? `-${loose + sought.length}` : ''} (\\t stands for a tab at the edge of a line):\n${show(lines, loose, Math.min(sought.length, 10))}`;
  }
  const key = sought.find((line) => line.trim() !== '');
  if (key === undefined) return 'old_string holds nothing but white space.';
  const nearest = nearestLines(lines, key.trim());
  if (nearest.length === 0) return 'No line looks like it. Read the file again.';
  return `The most similar ${nearest.length === 1 ? 'line is' : 'lines are'}:\n${nearest.map((line) => show(lines, line, 1)).join('\n')}`;
}

/** First line from which on all lines are those sought when white space is not counted. */
function findLoosely(lines: readonly string[], sought: readonly string[]): number | undefined {
  const plain = (line: string): string => line.replace(/\s+/g, '');
  const key = sought.map(plain);
  if (key.join('') === '') return undefined;
  const all = lines.map(plain);
  const isHere = (start: number): boolean => key.every((line, index) => all[start + index] === line);
  const found = all.findIndex((_, start) => isHere(start));
  return found < 0 ? undefined : found;
}

function nearestLines(lines: readonly string[], key: string): readonly number[] {
  return lines
    .map((line, index) => ({ index, score: similarity(key.slice(0, LONGEST_SHOWN), line.trim().slice(0, LONGEST_SHOWN)) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, 3)
    .map(({ index }) => index)
    .sort((a, b) => a - b);
}

/** Lines with numbers; tabs and trailing blanks are made visible, as they are what goes wrong. */
function show(lines: readonly string[], start: number, count: number): string {
  return lines
    .slice(start, start + count)
    .map((line, index) => `${String(start + index + 1).padStart(6)}\t${visible(line)}`)
    .join('\n');
}

function visible(line: string): string {
  const cut = line.length > LONGEST_SHOWN ? `${cutStart(line, LONGEST_SHOWN)}...` : line;
  return cut.replace(/^\s+|\s+$/g, (blanks) => blanks.replaceAll('\t', '\\t').replaceAll('\u00a0', '\\u00a0'));
}
