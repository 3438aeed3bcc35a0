import { SkillmintError } from '../../protocol/errors.ts';

const PROTOCOLS = ['postgres:', 'postgresql:'];
const USUAL_PORT = '5432';

/** Where a database is. */
export interface DatabaseAddress {
  /** As it was given, with the password. Never shown. */
  readonly url: string;
  /** Host, port and name for people: `db.example:5432/skillmint`. */
  readonly place: string;
}

/** Reads the URL of a PostgreSQL database. @throws SkillmintError usage, with a sentence that does not repeat the URL: it may hold a password */
export function databaseAddress(url: string): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const name = parsed && decoded(parsed.pathname.slice(1));
  if (!parsed || !PROTOCOLS.includes(parsed.protocol) || !name) {
    throw new SkillmintError('usage', 'The database is not named by a URL of PostgreSQL. Write it as postgres://USER:PASSWORD@HOST:5432/NAME; characters such as @ : / in the password are written as %40 %3A %2F.');
  }
  const socket = parsed.searchParams.get('host');
  const host = parsed.hostname || socket || 'localhost';
  return { url, place: `${host}:${parsed.port || parsed.searchParams.get('port') || USUAL_PORT}/${name}` };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
