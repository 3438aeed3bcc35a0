/** What of a line that is too long is kept, from each end: enough to find the number of the request that it answers. */
const KEPT = 512;

/** A line of output, or the ends of one that was too long to keep. */
export type Line = { readonly text: string } | { readonly head: string; readonly tail: string };

/** Cuts output into lines and never holds more of one than `most` bytes. */
export function lineReader(most: number): (chunk: Uint8Array) => readonly Line[] {
  let parts: Uint8Array[] = [];
  let length = 0;
  let head: string | undefined;
  const add = (piece: Uint8Array): void => {
    parts.push(piece);
    length += piece.length;
    if (length <= most) return;
    const all = Buffer.concat(parts);
    head ??= text(all.subarray(0, KEPT));
    parts = [Buffer.from(all.subarray(-KEPT))];
    length = KEPT;
  };
  const take = (): Line => {
    const all = text(Buffer.concat(parts));
    const line: Line = head === undefined ? { text: all } : { head, tail: all.slice(-KEPT) };
    [parts, length, head] = [[], 0, undefined];
    return line;
  };
  return (chunk) => {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      lines.push(take());
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
    return lines;
  };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
