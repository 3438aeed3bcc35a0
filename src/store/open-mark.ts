import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../protocol/errors.ts';
import { corrupt } from './store-error.ts';

/** A mark beside a database stands for a connection that may have something in its log. */
export interface OpenMark {
  /**
   * To be called before the connection is closed, when all of the log is in the file or another connection takes care of it.
   * Marks of processes that were killed meanwhile go too: the last one to close takes the log of all away.
   */
  remove(): void;
  /** To be called when the connection is closed: some process may have been killed in that moment. */
  tidy(): void;
}

/** Marks are made by process; `timeOrigin` tells those apart that had one number after each other. */
const OF_PROCESS = `${process.pid}-${Math.round(performance.timeOrigin)}`;

/**
 * Marks a database that is open and has its log. From then on a log that is missing is one that was taken away from a killed
 * program. Marks of processes that are gone are removed: their log has been read by now.
 */
export function markOpen(file: string): OpenMark {
  removeStale(file);
  const mark = `${file}-open-${OF_PROCESS}-${process.hrtime.bigint()}`;
  fs.closeSync(fs.openSync(mark, 'wx', 0o600));
  const remove = (): void => {
    process.off('exit', remove);
    process.setMaxListeners(process.getMaxListeners() - 1);
    fs.rmSync(mark, { force: true });
    removeStale(file);
  };
  // A process that ends without closing the database is one whose engine closes it.
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.on('exit', remove);
  return { remove, tidy: () => removeStale(file) };
}

function removeStale(file: string): void {
  for (const mark of marksOf(file)) if (isStale(mark)) fs.rmSync(mark, { force: true });
}

/** Throws `store_corrupt` where a killed program has left a mark and its log is gone: what it held would be missing without a word. */
export function refuseLostLog(file: string): void {
  if (fs.existsSync(`${file}-wal`)) return;
  // Whoever was alive a moment ago has taken its mark along.
  const marks = marksOf(file).filter((mark) => isStale(mark) && fs.existsSync(mark));
  if (marks.length === 0) return;
  throw corrupt(file, `its log ${path.basename(file)}-wal is missing, with what was written last; put it back, or remove ${marks.map((mark) => path.basename(mark)).join(' and ')} to go on without it`);
}

function marksOf(file: string): readonly string[] {
  const folder = path.dirname(file);
  // Someone may have removed the whole data folder meanwhile.
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).filter((name) => name.startsWith(`${path.basename(file)}-open-`)).map((name) => path.join(folder, name));
}

function isStale(mark: string): boolean {
  const [pid = '', origin = ''] = mark.slice(mark.lastIndexOf('-open-') + '-open-'.length).split('-');
  return Number(pid) === process.pid ? `${pid}-${origin}` !== OF_PROCESS : !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
