import fs from 'node:fs';
import path from 'node:path';
import type { ApiAuditEntry } from '../../api/audit-endpoints.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import { isJsonObject, parseJson } from '../../protocol/json.ts';

const FILE = 'audit.jsonl';
const MOST_BYTES = 10_485_760;
/** Older files beside the one that is written: `audit.1.jsonl` is the newest of them. */
const MOST_OLD = 4;

/** What is written down of who did what. */
export interface AuditLog {
  /** Writes one line. What cannot be written is told to `onFault`, and nothing else fails. */
  note(entry: Omit<ApiAuditEntry, 'time'>): void;
  /** Newest first. */
  read(page: { readonly limit: number; readonly offset: number }): Promise<readonly ApiAuditEntry[]>;
}

/** The log of a data folder: `logs/audit.jsonl`. */
export function auditLog({ dataFolder, now, onFault }: { readonly dataFolder: string; readonly now: () => number; readonly onFault: (line: string) => void }): AuditLog {
  const folder = path.join(dataFolder, 'logs');
  const file = path.join(folder, FILE);
  return {
    note(entry) {
      try {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        turnOver(folder, file);
        // One write at the end of the file: lines of several processes do not mix.
        fs.appendFileSync(file, `${JSON.stringify({ time: new Date(now()).toISOString(), ...entry })}\n`, { mode: 0o600 });
      } catch (error) {
        onFault(`${file} cannot be written: ${messageOf(error)}`);
      }
    },
    async read({ limit, offset }) {
      const wanted = offset + limit;
      const found: ApiAuditEntry[] = [];
      for (const one of [file, ...oldFiles(folder)]) {
        if (found.length >= wanted) break;
        found.push(...(await linesOf(one)).toReversed().flatMap((line) => entryOf(line) ?? []));
      }
      return found.slice(offset, wanted);
    },
  };
}

function oldFiles(folder: string): readonly string[] {
  return Array.from({ length: MOST_OLD }, (_, at) => path.join(folder, `audit.${at + 1}.jsonl`));
}

function turnOver(folder: string, file: string): void {
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) < MOST_BYTES) return;
  const files = [file, ...oldFiles(folder)];
  for (let at = files.length - 1; at > 0; at--) {
    const [from, to] = [files[at - 1] ?? file, files[at] ?? file];
    if (fs.existsSync(from)) fs.renameSync(from, to);
  }
}

async function linesOf(file: string): Promise<readonly string[]> {
  try {
    return (await fs.promises.readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A line that was cut off when the machine stopped is none. */
function entryOf(line: string): ApiAuditEntry | undefined {
  const value = parseJson(line);
  if (!isJsonObject(value)) return undefined;
  const text = (key: string): string | undefined => (typeof value[key] === 'string' ? value[key] : undefined);
  const [time, what] = [text('time'), text('what')];
  if (time === undefined || what === undefined) return undefined;
  const rest = Object.fromEntries(['user', 'address', 'id', 'detail'].flatMap((key) => (text(key) === undefined ? [] : [[key, text(key)]])));
  return { time, what, ...rest };
}
