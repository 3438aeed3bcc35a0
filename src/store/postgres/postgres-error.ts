import { type ErrorCode, messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';

interface Known {
  readonly code: ErrorCode;
  readonly says: string;
  /** The same may go well in a moment, without anybody doing anything. */
  readonly passes?: true;
}

const DOWN: Known = { code: 'store_unavailable', says: 'nothing answers there; start PostgreSQL, or correct the address', passes: true };
const BROKEN: Known = { code: 'store_unavailable', says: 'the connection was lost; PostgreSQL may be restarting, try again', passes: true };
const STARTING: Known = { code: 'store_unavailable', says: 'PostgreSQL is starting or stopping; try again in a moment', passes: true };
const FULL_OF_CONNECTIONS: Known = { code: 'store_unavailable', says: 'all its connections are in use; raise max_connections of PostgreSQL, or run fewer workers', passes: true };
const POOL_EXHAUSTED: Known = { code: 'store_unavailable', says: 'all connections of this process stayed in use; try again, or run more workers', passes: true };
const NO_ROLE: Known = { code: 'store_unavailable', says: 'user or password are wrong, or pg_hba.conf does not let them in; correct them in the URL' };

/** Codes of PostgreSQL (SQLSTATE) and of the system. */
const CODES: Readonly<Record<string, Known>> = {
  ECONNREFUSED: DOWN,
  ENOENT: DOWN,
  ENOTFOUND: { ...DOWN, says: 'there is no host of that name; correct the address' },
  EAI_AGAIN: { ...DOWN, says: 'the name of the host cannot be looked up now; try again' },
  EHOSTUNREACH: DOWN,
  ENETUNREACH: DOWN,
  ETIMEDOUT: DOWN,
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  '08000': BROKEN,
  '08003': BROKEN,
  '08006': BROKEN,
  '57P01': BROKEN,
  '57P02': BROKEN,
  '57P03': STARTING,
  '57P05': BROKEN,
  '53300': FULL_OF_CONNECTIONS,
  '28P01': NO_ROLE,
  '28000': NO_ROLE,
  '3D000': { code: 'store_unavailable', says: 'there is no database of that name; make it with createdb, or correct the URL' },
  '42501': { code: 'store_unavailable', says: 'the user of the URL may not do that; let it own the database: ALTER DATABASE … OWNER TO …' },
  '25006': { code: 'store_unavailable', says: 'it is read-only, such as a standby; name the primary in the URL' },
  '57014': { code: 'store_unavailable', says: 'a statement took longer than PostgreSQL allows; look at its load and its statement_timeout', passes: true },
  '53100': { code: 'store_full', says: 'the disk of PostgreSQL is full; free some space there' },
  '53200': { code: 'store_unavailable', says: 'PostgreSQL is out of memory; look at its load', passes: true },
  XX001: { code: 'store_corrupt', says: 'its files are damaged; restore a backup of the database' },
  XX002: { code: 'store_corrupt', says: 'an index is damaged; run REINDEX, or restore a backup of the database' },
};

/** Sentences of the client library, which come without a code. */
const MESSAGES: readonly { readonly like: RegExp; readonly known: Known }[] = [
  { like: /^timeout exceeded when trying to connect/, known: POOL_EXHAUSTED },
  { like: /due to connection timeout/, known: DOWN },
  { like: /^Connection terminated|^Client has encountered a connection error|^Client was closed/, known: BROKEN },
  { like: /SSL/, known: { code: 'store_unavailable', says: 'PostgreSQL and the URL do not agree on TLS; see sslmode in the URL' } },
  { like: /password must be a string|SASL|authentication/i, known: NO_ROLE },
];

/** Turns a failure of the database into the product's error; everything else, such as wrong SQL, is returned as it is. */
export function postgresError(place: string, error: unknown): unknown {
  if (error instanceof SkillmintError) return error;
  const known = knownOf(error);
  if (!known) return error;
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  return new SkillmintError(known.code, `cannot use the database ${place}: ${known.says}`, { cause });
}

/** True for a failure of the connection, which may have passed at the next try. */
export function isPassing(error: unknown): boolean {
  return knownOf(error instanceof SkillmintError ? error.cause : error)?.passes === true;
}

/** True when a row is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return systemCode(error) === '23505';
}

function knownOf(error: unknown): Known | undefined {
  if (error instanceof AggregateError) return knownOf(error.errors[0]);
  return CODES[systemCode(error)] ?? (error instanceof Error && systemCode(error) === '' ? MESSAGES.find(({ like }) => like.test(messageOf(error)))?.known : undefined);
}
