/** A file that a run has made or changed. `text` is left out for what is no text. */
export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  readonly text?: string;
}

/** What a judge sees of a run. */
export interface JudgedRun {
  /** The blind transcript. */
  readonly transcript: string;
  readonly answer: string;
  readonly outputs: readonly OutputFile[];
}

const MOST_TRANSCRIPT = 60_000;
const MOST_FILE = 12_000;
const MOST_FILES = 40;

/** The material in one text: transcript, final answer, files. Quotes are looked for in just this text. */
export function materialOf({ transcript, answer, outputs }: JudgedRun): string {
  const files = outputs.slice(0, MOST_FILES).map(({ path, bytes, text }) => `--- file ${path} (${bytes} bytes)\n${text === undefined ? '[no text]' : cut(text, MOST_FILE)}`);
  return [
    '=== TRANSCRIPT', fenced(cut(transcript, MOST_TRANSCRIPT)),
    '=== FINAL ANSWER', answer.trim() === '' ? '[the final answer is empty]' : fenced(answer),
    '=== FILES MADE OR CHANGED', files.length === 0 ? '[no files were made or changed]' : fenced(files.join('\n')),
    ...(outputs.length > MOST_FILES ? [`[${outputs.length - MOST_FILES} more files]`] : []),
    '=== END',
  ].join('\n');
}

/** True for a quote that stands in the material; white space does not count, and dots may stand for what is left out. */
export function isQuoted(material: string, quote: string): boolean {
  const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const parts = unquoted(quote).split(/\s*(?:…|\.{3})\s*/).map(plain).filter((part) => part !== '');
  const whole = plain(material);
  return parts.join('').length >= Math.min(3, whole.length) && parts.every((part) => whole.includes(part));
}

/** No line of the material looks like one of ours. */
function fenced(text: string): string {
  return text.replace(/^(?====|#####)/gm, ' ');
}

function unquoted(text: string): string {
  return /^\s*(["'`“]+)([\s\S]*?)["'`”]+\s*$/.exec(text)?.[2] ?? text;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most / 2)}\n[… ${text.length - most} characters left out …]\n${text.slice(-most / 2)}`;
}
