import { palette } from '../terminal.ts';

/** Work that is done sooner is not shown, ms. */
const QUIET_MS = 1_000;
const EVERY_MS = 100;
const INDEXING = 'indexing skills';

/** A line that tells how far skills have been read. */
export interface IndexingLine {
  readonly show: (done: number) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

/** Where the line stands, and what it says is done. */
export interface IndexingLineParts {
  readonly what: string;
  readonly stream: () => Pick<NodeJS.WriteStream, 'isTTY'> & { write(text: string): unknown };
  /** ms, rising. */
  readonly now: () => number;
}

/** The line on the terminal of standard error; elsewhere nothing is shown. What cannot be written there is not missed. */
export function indexingLine({ stream = () => process.stderr, now = Date.now, what = INDEXING }: Partial<IndexingLineParts> = {}): IndexingLine {
  const start = now();
  let last: number | undefined;
  let isShown = false;
  return {
    show: (done) => {
      const at = now();
      // The stream is looked at only when there is something to show: it takes its time to open.
      if (at - start < QUIET_MS || (last !== undefined && at - last < EVERY_MS) || !stream().isTTY) return;
      last = at;
      isShown = true;
      stream().write(`\r\u001b[K${wordsFor(what, done)}`);
    },
    clear: () => {
      if (isShown) stream().write('\r\u001b[K');
      isShown = false;
    },
  };
}

/** The same for a conversation, where a person may be typing: one whole line that stays, once. */
export function indexingNotice({ stream = () => process.stdout, now = Date.now, what = INDEXING }: Partial<IndexingLineParts> = {}): IndexingLine {
  const start = now();
  let isShown = false;
  return {
    show: (done) => {
      if (isShown || now() - start < QUIET_MS) return;
      isShown = true;
      stream().write(`${palette(stream()).dim(wordsFor(what, done))}\n`);
    },
    clear: () => undefined,
  };
}

function wordsFor(what: string, done: number): string {
  return `${what}: ${done.toLocaleString('en-US')} …`;
}
