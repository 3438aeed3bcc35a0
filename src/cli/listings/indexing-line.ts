/** Work that is done sooner is not shown, ms. */
const QUIET_MS = 1_000;
const EVERY_MS = 100;

/** A line that tells how far skills have been read. */
export interface IndexingLine {
  readonly show: (done: number) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

/** The line on the terminal of standard error; elsewhere nothing is shown. What cannot be written there is not missed. */
export function indexingLine(): IndexingLine {
  const start = Date.now();
  let last = 0;
  return {
    show: (done) => {
      const now = Date.now();
      // The stream is looked at only when there is something to show: it takes its time to open.
      if (now - start < QUIET_MS || now - last < EVERY_MS || !process.stderr.isTTY) return;
      last = now;
      process.stderr.write(`\r\u001b[Kreading skills: ${done}`);
    },
    clear: () => {
      if (last > 0) process.stderr.write('\r\u001b[K');
      last = 0;
    },
  };
}
