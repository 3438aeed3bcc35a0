import { randomBytes } from 'node:crypto';
import { SkillmintError } from '../../protocol/errors.ts';
import type { Role } from '../tenant.ts';
import { checkPassword, hashPassword, hashToken } from './password.ts';
import { checkUserName } from './user-name.ts';
import { changeUsers, type User, type Users } from './users-file.ts';

const MOST_TOKENS = 20;

/** Adds a user; without a password only a proxy can log them in. @throws SkillmintError usage, invalid_argument for a name that is taken */
export async function addUser(dataFolder: string, { name, role, password }: { readonly name: string; readonly role: Role; readonly password?: string }): Promise<void> {
  checkUserName(name);
  const hash = password === undefined ? {} : { password: await hashPassword(checkPassword(password)) };
  await changeUsers(dataFolder, async (users) => {
    if (users.some((user) => user.name === name)) throw new SkillmintError('invalid_argument', `There is a user ${name} already. To change the password: skillmint users password ${name}`);
    return { users: [...users, { name, role, ...hash, tokens: [], stamp: newStamp() }], result: undefined };
  });
}

/** Removes a user; what is theirs stays in its folders. @throws SkillmintError not_found */
export async function removeUser(dataFolder: string, name: string): Promise<void> {
  await changeUsers(dataFolder, async (users) => ({ users: users.filter((user) => user !== userNamed(users, name)), result: undefined }));
}

/** Gives a user another password, which ends logins and tokens. @throws SkillmintError not_found, usage */
export async function setPassword(dataFolder: string, name: string, password: string): Promise<void> {
  const hash = await hashPassword(checkPassword(password));
  await changeUser(dataFolder, name, (user) => ({ ...user, password: hash, tokens: [], stamp: newStamp() }));
}

/** Gives a user another role, which ends logins; tokens stay and have the new role. @throws SkillmintError not_found */
export async function setRole(dataFolder: string, name: string, role: Role): Promise<void> {
  await changeUser(dataFolder, name, (user) => ({ ...user, role, stamp: newStamp() }));
}

/** Makes a token for programs of a user: it is given this once, and kept as a hash. @throws SkillmintError not_found, usage */
export async function makeToken(dataFolder: string, name: string, now: Date): Promise<{ readonly id: string; readonly token: string }> {
  const [id, token] = [randomBytes(4).toString('hex'), randomBytes(32).toString('base64url')];
  await changeUser(dataFolder, name, (user) => {
    if (user.tokens.length >= MOST_TOKENS) throw new SkillmintError('usage', `${name} has ${MOST_TOKENS} tokens already. Take some back: skillmint users token ${name} --revoke ID`);
    return { ...user, tokens: [...user.tokens, { id, hash: hashToken(token), made: now.toISOString() }] };
  });
  return { id, token };
}

/** Takes a token of a user back, or `all`. @throws SkillmintError not_found */
export async function revokeToken(dataFolder: string, name: string, id: string): Promise<void> {
  await changeUser(dataFolder, name, (user) => {
    if (id !== 'all' && !user.tokens.some((token) => token.id === id)) throw new SkillmintError('not_found', `${name} has no token ${JSON.stringify(id)}. See: skillmint users list`);
    return { ...user, tokens: user.tokens.filter((token) => id !== 'all' && token.id !== id) };
  });
}

function changeUser(dataFolder: string, name: string, change: (user: User) => User): Promise<void> {
  return changeUsers(dataFolder, async (users) => {
    const found = userNamed(users, name);
    return { users: users.map((user) => (user === found ? change(user) : user)), result: undefined };
  });
}

function userNamed(users: Users, name: string): User {
  const found = users.find((user) => user.name === name);
  if (!found) throw new SkillmintError('not_found', `There is no user ${JSON.stringify(name)}. See: skillmint users list`);
  return found;
}

function newStamp(): string {
  return randomBytes(9).toString('base64url');
}
