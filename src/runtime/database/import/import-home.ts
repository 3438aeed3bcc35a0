import fs from 'node:fs';
import path from 'node:path';
import { SkillmintError } from '../../../protocol/errors.ts';
import { openPostgres, type Postgres } from '../../../store/postgres/postgres.ts';
import { ONE_PERSON } from '../backend.ts';
import { requirePostgresSchema } from '../postgres-schema.ts';
import { openHome, type HomeSessions } from './home-sessions.ts';
import { compareFiles, sendFiles, type ComparedFiles } from './import-files.ts';
import { sendSessionFiles } from './import-session-files.ts';
import { compareSessions, copyRest, copySessions, type ComparedSessions } from './import-sessions.ts';

const TOLD_EVERY = 100;

/** What is to be moved where. */
export interface ImportOptions {
  /** The data folder, absolute. It stays as it is. */
  readonly from: string;
  /** Of PostgreSQL. */
  readonly url: string;
  /** What differs in the database is replaced by what the home has; what the home lacks stays there. */
  readonly replace: boolean;
  readonly progress: (line: string) => void;
}

/** What was moved of one home. */
export interface ImportedHome {
  /** Whose it is: a user of a server, or the server or person itself. */
  readonly tenant: string;
  readonly folder: string;
  readonly sessions: { readonly imported: number; readonly same: number };
  readonly files: { readonly imported: number; readonly same: number };
  /** Days and models of turns. */
  readonly usage: number;
  /** Rules that were allowed for good. */
  readonly rules: number;
}

interface Home {
  readonly tenant: string;
  readonly folder: string;
}

interface Compared extends Home {
  readonly home: HomeSessions | undefined;
  readonly sessions: ComparedSessions;
  readonly files: ComparedFiles;
}

/**
 * Moves a data folder, and those of the users of a server in it, into a database: sessions, usage, rules, skills, settings, trust,
 * memory and users. A second time nothing is changed; one that was killed goes on. All is compared before anything is written.
 * @throws SkillmintError not_found, session_busy, invalid_argument where the database has other data, store_unavailable, store_corrupt
 */
export async function importHome({ from, url, replace, progress }: ImportOptions): Promise<{ readonly place: string; readonly homes: readonly ImportedHome[] }> {
  if (!fs.statSync(from, { throwIfNoEntry: false })?.isDirectory()) throw new SkillmintError('not_found', `There is no data folder ${from}. Name the one that is to be imported: --from FOLDER`);
  const db = await openPostgres(url, { connections: 2 });
  const compared: Compared[] = [];
  try {
    await requirePostgresSchema(db);
    for (const home of homesIn(from)) compared.push(await compare(db, home));
    if (!replace) refuseOthers(db.place, compared);
    const homes: ImportedHome[] = [];
    for (const one of compared) homes.push(await importOne(db, one, progress));
    return { place: db.place, homes };
  } finally {
    for (const { home } of compared) home?.db.close();
    await db.close();
  }
}

/** The folder itself, and those of users. */
function homesIn(from: string): readonly Home[] {
  const users = path.join(from, 'users');
  const names = fs.existsSync(users) ? fs.readdirSync(users, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort() : [];
  return [{ tenant: ONE_PERSON, folder: from }, ...names.map((name) => ({ tenant: name, folder: path.join(users, name) }))];
}

async function compare(db: Postgres, { tenant, folder }: Home): Promise<Compared> {
  const home = openHome(folder);
  try {
    const sessions = home ? await compareSessions(db, tenant, home) : { missing: [], different: [], same: 0, others: 0 };
    return { tenant, folder, home, sessions, files: await compareFiles(db, { tenant, folder }) };
  } catch (error) {
    home?.db.close();
    throw error;
  }
}

function refuseOthers(place: string, compared: readonly Compared[]): void {
  const count = (of: (one: Compared) => number): number => compared.reduce((sum, one) => sum + of(one), 0);
  const sessions = { different: count((one) => one.sessions.different.length), others: count((one) => one.sessions.others) };
  const files = { different: count((one) => one.files.different.length), others: count((one) => one.files.others) };
  if (sessions.different + sessions.others + files.different + files.others === 0) return;
  const example = compared.flatMap((one) => [...one.sessions.different, ...one.files.different]).at(0);
  throw new SkillmintError('invalid_argument', `The database ${place} has other data: ${sessions.different} sessions and ${files.different} files that are not as in this folder${example === undefined ? '' : ` (such as ${example})`}, and ${sessions.others} sessions and ${files.others} files that are not in it. Nothing was imported. Take an empty database, or --replace: what this folder has replaces what differs, and the rest stays.`);
}

async function importOne(db: Postgres, { tenant, folder, home, sessions, files }: Compared, progress: (line: string) => void): Promise<ImportedHome> {
  const whose = tenant === ONE_PERSON ? '' : `user ${tenant}: `;
  const ids = [...sessions.missing, ...sessions.different];
  if (home) await copySessions(db, tenant, home, { ids, onCopied: (count) => { if (count % TOLD_EVERY === 0 || count === ids.length) progress(`${whose}${count} of ${ids.length} sessions`); } });
  const rest = home ? await copyRest(db, tenant, home) : { usage: 0, rules: 0 };
  const sent = await sendFiles(db, { tenant, folder }, files);
  if (sent > 0) progress(`${whose}${sent} files`);
  const kept = home ? await sendSessionFiles(db, { tenant, folder, ids: home.ids }) : 0;
  if (kept > 0) progress(`${whose}${kept} files of sessions`);
  return { tenant, folder, sessions: { imported: ids.length, same: sessions.same }, files: { imported: sent + kept, same: files.same }, ...rest };
}
