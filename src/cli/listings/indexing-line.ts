import type { IndexProgress } from '../../skills/index/work-on-roots.ts';
import { oneLine } from '../terminal.ts';

/** Work that is done sooner is not shown, ms. */
const QUIET_MS = 1_000;
const EVERY_MS = 100;

/** A line that tells how far skills have been read. */
export interface IndexingLine {
  readonly show: (progress: IndexProgress) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

/** The line on a terminal; elsewhere nothing is shown. What cannot be written there is not missed. */
export function indexingLine(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): IndexingLine {
  const start = Date.now();
  let last = 0;
  return {
    show: ({ done, folder }) => {
      const now = Date.now();
      if (!stream.isTTY || now - start < QUIET_MS || now - last < EVERY_MS) return;
      last = now;
      stream.write(`\r\u001b[Kreading skills: ${done} of ${oneLine(folder)}`);
    },
    clear: () => {
      if (last > 0) stream.write('\r\u001b[K');
      last = 0;
    },
  };
}
