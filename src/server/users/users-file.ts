import fs from 'node:fs';
import path from 'node:path';
import { withFileLock } from '../../host/file-lock.ts';
import { writeWhole } from '../../host/local-write.ts';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { isJsonObject, parseJson, type Json } from '../../protocol/json.ts';
import type { Role } from '../tenant.ts';
import type { PasswordHash } from './password.ts';
import { isUserName } from './user-name.ts';

const FILE = 'users.json';
const VERSION = 1;
const FOR_OTHERS = 0o077;

/** A token of a program; the token itself is not kept. */
export interface UserToken {
  readonly id: string;
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly made: string;
}

/** A user as the file has it. */
export interface User {
  readonly name: string;
  readonly role: Role;
  /** Left out for those whom a proxy logs in. */
  readonly password?: PasswordHash;
  readonly tokens: readonly UserToken[];
  /** Another one with each change of password or role: what was given out before ends with it. */
  readonly stamp: string;
}

/** The users of a server. */
export type Users = readonly User[];

/** Where the users of a data folder are kept. */
export function usersFile(dataFolder: string): string {
  return path.join(dataFolder, FILE);
}

/** Reads the users; none where there is no file. @throws SkillmintError config_unreadable, config_invalid */
export function readUsers(dataFolder: string): Users {
  const file = usersFile(dataFolder);
  try {
    const { mode } = fs.statSync(file);
    if (process.platform !== 'win32' && (mode & FOR_OTHERS) !== 0) throw new SkillmintError('config_unreadable', `${file} holds the passwords of users and is open to others. Look at it, then: chmod 600 ${file}`);
    return parseUsers(file, fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    if (systemCode(error) === 'ENOENT') return [];
    throw new SkillmintError('config_unreadable', `The users in ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Changes the users: nobody else does so meanwhile, and the file is the old one or the new one. */
export async function changeUsers<T>(dataFolder: string, change: (users: Users) => Promise<{ readonly users: Users; readonly result: T }>): Promise<T> {
  const file = usersFile(dataFolder);
  fs.mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  return withFileLock(file, async () => {
    const { users, result } = await change(readUsers(dataFolder));
    await writeWhole(file, `${JSON.stringify({ version: VERSION, users }, null, 2)}\n`, { mode: 0o600, shown: file, follow: false });
    return result;
  });
}

/** Gives the users as the file has them at each call; it is read again when it was changed. */
export function watchedUsers(dataFolder: string): () => Users {
  const file = usersFile(dataFolder);
  let known: { readonly mark: string; readonly users: Users } | undefined;
  return () => {
    const stat = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
    const mark = stat ? [stat.ino, stat.size, stat.mtimeNs, stat.mode].join(' ') : '';
    if (known?.mark !== mark) known = { mark, users: readUsers(dataFolder) };
    return known.users;
  };
}

function parseUsers(file: string, text: string): Users {
  const broken = (what: string): SkillmintError => new SkillmintError('config_invalid', `${file} is broken: ${what}. Put back a copy of it, or remove it and add the users again: skillmint users add NAME`);
  const value = parseJson(text);
  if (!isJsonObject(value)) throw broken('it is no JSON object');
  const { version, users } = value;
  if (version !== VERSION) throw broken(`its version is ${JSON.stringify(version ?? null)}, and this program reads ${VERSION}`);
  if (!Array.isArray(users)) throw broken('"users" is no list');
  const read = users.map((one, at) => {
    const user = userOf(one);
    if (!user) throw broken(`entry ${at + 1} of "users" is no user`);
    return user;
  });
  if (new Set(read.map(({ name }) => name)).size < read.length) throw broken('a name is there twice');
  return read;
}

function userOf(value: Json): User | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, role, password, tokens, stamp } = value;
  if (typeof name !== 'string' || !isUserName(name) || typeof stamp !== 'string' || stamp === '' || (role !== 'admin' && role !== 'member') || !Array.isArray(tokens)) return undefined;
  const [hash, read] = [password === undefined ? undefined : passwordOf(password), tokens.map(tokenOf)];
  const known = read.filter((token) => token !== undefined);
  if ((password !== undefined && !hash) || known.length < read.length) return undefined;
  return { name, role, ...(hash ? { password: hash } : {}), tokens: known, stamp };
}

function passwordOf(value: Json): PasswordHash | undefined {
  if (!isJsonObject(value)) return undefined;
  const { salt, key } = value;
  return typeof salt === 'string' && typeof key === 'string' && key !== '' ? { salt, key } : undefined;
}

function tokenOf(value: Json): UserToken | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, hash, made } = value;
  return typeof id === 'string' && typeof hash === 'string' && hash !== '' && typeof made === 'string' ? { id, hash, made } : undefined;
}
