import fs from 'node:fs/promises';
import type { EvaluationRecord } from '../../evaluate/runs/record.ts';
import { textIfThere } from '../../host/read-if-there.ts';
import { isJsonObject, parseJson } from '../../protocol/json.ts';

/** The records of an evaluation: one line each, in the order in which they ended. */
export interface RunLog {
  /** What earlier processes have written; of two records of one run the later one. */
  readonly before: readonly EvaluationRecord[];
  /** Resolves once the record survives a crash of the machine. */
  add(record: EvaluationRecord): Promise<void>;
  close(): Promise<void>;
}

/** Opens the log. A last line that a crash has cut is taken off: that run has not happened. */
export async function openRunLog(file: string): Promise<RunLog> {
  const text = await textIfThere(file);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await fs.truncate(file, Buffer.byteLength(whole));
  const handle = await fs.open(file, 'a', 0o600);
  let last: Promise<void> = Promise.resolve();
  return {
    before: recordsIn(whole),
    add: (record) => {
      const written = last.then(async () => {
        await handle.appendFile(`${JSON.stringify(record)}\n`);
        await handle.datasync();
      });
      last = written.catch(() => undefined);
      return written;
    },
    async close() {
      await last;
      await handle.close();
    },
  };
}

/** What a log holds, without opening it; nothing where there is none. */
export async function readRecords(file: string): Promise<readonly EvaluationRecord[]> {
  return recordsIn(await textIfThere(file));
}

function recordsIn(text: string): readonly EvaluationRecord[] {
  const records = new Map<string, EvaluationRecord>();
  for (const line of text.split('\n')) {
    const record = parseJson(line);
    if (isRecord(record)) records.set(record.kind === 'run' ? record.run : `comparison ${record.entry} ${record.from} ${record.to} ${record.number}`, record);
  }
  return [...records.values()];
}

/** True for a line of the log that this version has written. */
function isRecord(value: unknown): value is EvaluationRecord {
  return isJsonObject(value) && (value['kind'] === 'run' || value['kind'] === 'comparison') && typeof value['entry'] === 'string';
}
