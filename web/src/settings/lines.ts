/** The lines of a text that hold something. */
export function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

/** `NAME=VALUE` or `Name: value` on each line, as an object. Throws an error with the sentence of `complain` for a line without the sign. */
export function pairsOf(text: string, sign: '=' | ':', complain: (line: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(linesOf(text).map((line) => {
    const at = line.indexOf(sign);
    if (at < 1) throw new Error(complain(line));
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  }));
}
