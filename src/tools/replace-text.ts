/** Where a text stands in another, as offsets into the latter. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text in which line ends are all LF, with the way back to the offsets of the original. */
interface Normal {
  readonly text: string;
  readonly toOriginal: (offset: number) => number;
}

/**
 * All places of `wanted` in `text` from left to right, without overlaps. CRLF and LF count as the same, so that a model
 * that sees and writes LF finds its lines in a CRLF file.
 */
export function findSpans(text: string, wanted: string): readonly Span[] {
  const normal = normalise(text);
  const needle = wanted.replaceAll('\r\n', '\n');
  const spans: Span[] = [];
  for (let at = normal.text.indexOf(needle); at >= 0 && needle !== ''; at = normal.text.indexOf(needle, at + needle.length)) {
    spans.push({ start: normal.toOriginal(at), end: normal.toOriginal(at + needle.length) });
  }
  return spans;
}

/** Replaces the places; each replacement gets the line ends of what it replaces, or else those of the file. */
export function replaceSpans(text: string, spans: readonly Span[], replacement: string): string {
  const lines = replacement.replaceAll('\r\n', '\n');
  let result = '';
  let at = 0;
  for (const span of spans) {
    const old = text.slice(span.start, span.end);
    const usesCrLf = old.includes('\n') ? old.includes('\r\n') : isMostlyCrLf(text);
    result += text.slice(at, span.start) + (usesCrLf ? lines.replaceAll('\n', '\r\n') : lines);
    at = span.end;
  }
  return result + text.slice(at);
}

/** Number of the line (1-based) in which an offset lies. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function normalise(text: string): Normal {
  if (!text.includes('\r\n')) return { text, toOriginal: (offset) => offset };
  /** Offsets, in the normalised text, of the line feeds whose carriage return was taken out. */
  const removed: number[] = [];
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) removed.push(at - removed.length);
  return { text: text.replaceAll('\r\n', '\n'), toOriginal: (offset) => offset + countBelow(removed, offset) };
}

/** How many numbers of a sorted list are smaller than a bound. */
function countBelow(sorted: readonly number[], bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? bound) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isMostlyCrLf(text: string): boolean {
  const all = text.split('\n').length - 1;
  return all > 0 && (text.split('\r\n').length - 1) * 2 > all;
}
