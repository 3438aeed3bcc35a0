import { type ErrorCode, SkillmintError, messageOf, systemCode } from '../protocol/errors.ts';

const ELSEWHERE = 'or set SKILLMINT_HOME to another folder';

/** Said of a file that has lost a part of its content. */
export const DAMAGED = 'it is damaged or cut short; put a backup in its place, or move it away to start with an empty one';

/** Reason and remedy of a system error; undefined for codes that say nothing about the file. */
const SYSTEM: Readonly<Record<string, { readonly code: ErrorCode; readonly says: string }>> = {
  EACCES: { code: 'store_unavailable', says: `no permission; make it readable and writable for this user, ${ELSEWHERE}` },
  EPERM: { code: 'store_unavailable', says: `it belongs to another user; make it this user's, ${ELSEWHERE}` },
  EROFS: { code: 'store_unavailable', says: `the file system is read-only; make it writable, ${ELSEWHERE}` },
  ENOTDIR: { code: 'store_unavailable', says: `a part of its path is a file, not a folder; move that file away, ${ELSEWHERE}` },
  EEXIST: { code: 'store_unavailable', says: `a part of its path is a file, not a folder; move that file away, ${ELSEWHERE}` },
  ENOENT: { code: 'store_unavailable', says: `its folder cannot be made here; make it yourself, ${ELSEWHERE}` },
  ELOOP: { code: 'store_unavailable', says: `its path is a loop of links; remove the link, ${ELSEWHERE}` },
  ENOSPC: { code: 'store_full', says: `the disk is full; free some space, ${ELSEWHERE}` },
  EDQUOT: { code: 'store_full', says: `the disk quota is used up; free some space, ${ELSEWHERE}` },
  EFBIG: { code: 'store_full', says: `it has reached the largest size allowed for a file; raise the limit, ${ELSEWHERE}` },
};

const SQLITE: readonly { readonly prefix: string; readonly code: ErrorCode; readonly says: string }[] = [
  { prefix: 'SQLITE_FULL', code: 'store_full', says: `the disk is full; free some space, ${ELSEWHERE}` },
  { prefix: 'SQLITE_NOTADB', code: 'store_corrupt', says: `it is not a database; move it away to start with an empty one, or put a backup in its place` },
  { prefix: 'SQLITE_CORRUPT', code: 'store_corrupt', says: DAMAGED },
  { prefix: 'SQLITE_READONLY', code: 'store_unavailable', says: `it cannot be written; make the file and its folder writable for this user, ${ELSEWHERE}` },
  { prefix: 'SQLITE_CANTOPEN', code: 'store_unavailable', says: `it cannot be opened; make the file and its folder readable and writable for this user, ${ELSEWHERE}` },
  { prefix: 'SQLITE_PERM', code: 'store_unavailable', says: `no permission; make it readable and writable for this user, ${ELSEWHERE}` },
  { prefix: 'SQLITE_BUSY', code: 'store_unavailable', says: `another process has kept it locked; end that process (a stopped one keeps its lock) and try again` },
  { prefix: 'SQLITE_LOCKED', code: 'store_unavailable', says: `another process has kept it locked; end that process (a stopped one keeps its lock) and try again` },
  { prefix: 'SQLITE_IOERR', code: 'store_unavailable', says: `reading or writing failed; check the disk and the free space` },
  { prefix: 'SQLITE_PROTOCOL', code: 'store_unavailable', says: `locking failed; a network file system may not support it, set SKILLMINT_HOME to a folder on a local disk` },
  { prefix: 'SQLITE_NOLFS', code: 'store_unavailable', says: `the file system does not support files of its size; set SKILLMINT_HOME to another folder` },
];

/** True when a statement was refused because it violates a constraint of the schema. */
export function isConstraintError(error: unknown): boolean {
  return systemCode(error).startsWith('SQLITE_CONSTRAINT');
}

/** True when another connection held a lock for longer than the time-out. */
export function isBusyError(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(systemCode(error));
}

/** One sentence about a damaged file. */
export function corrupt(file: string, says: string): SkillmintError {
  return new SkillmintError('store_corrupt', `cannot use the database ${file}: ${says}`);
}

/** Turns a failure of the database file into the product's error; everything else is returned as it is. */
export function storeError(file: string, error: unknown): unknown {
  if (error instanceof SkillmintError) return error;
  const code = systemCode(error);
  const known = SYSTEM[code] ?? SQLITE.find(({ prefix }) => code.startsWith(prefix)) ?? openFailure(error);
  if (known === undefined) return error;
  return new SkillmintError(known.code, `cannot use the database ${file}: ${known.says}`, { cause: error });
}

/** The native library reports a failed open without a code. */
function openFailure(error: unknown): (typeof SQLITE)[number] | undefined {
  return messageOf(error).startsWith('ConnectionFailed') ? SQLITE.find(({ prefix }) => prefix === 'SQLITE_CANTOPEN') : undefined;
}
