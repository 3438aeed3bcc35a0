import type { Database, SqlValue } from '../../store/database.ts';

/** A column that may be empty. */
export function numberOr(value: SqlValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A column that may be empty. */
export function textOr(value: SqlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A blob, a copy of its own that may be changed. */
export function bytesOf(value: SqlValue | undefined): Uint8Array {
  return value instanceof Uint8Array ? new Uint8Array(value) : new Uint8Array(0);
}

/** Numbers as a blob. */
export function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Numbers from a blob that `bytesOf` gave. */
export function fromBytes(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

/** A number that was never given before. Only within a transaction. */
export function nextNumber(db: Database, counter: 'skill' | 'segment' | 'root', count = 1): number {
  db.run('UPDATE counters SET value = value + ? WHERE name = ?', [count, counter]);
  return Number(db.get('SELECT value FROM counters WHERE name = ?', [counter])?.['value']) - count + 1;
}
