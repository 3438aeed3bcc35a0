import os from 'node:os';
import path from 'node:path';
import { dataFolder } from '../../config/paths.ts';
import { homeFolder } from '../../host/home-folder.ts';
import { auditLog, type AuditLog } from '../../server/audit/audit-log.ts';
import { addUser, makeToken, removeUser, revokeToken, setPassword, setRole } from '../../server/users/change-user.ts';
import { checkUserName } from '../../server/users/user-name.ts';
import { readUsers } from '../../server/users/users-file.ts';
import { oneOf } from '../options.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { readPassword } from './read-password.ts';

interface Shown {
  readonly json?: boolean;
}

/** `skillmint users add`. */
export async function addUserCommand(name: string, { admin = false, password: wantsPassword, json }: Shown & { readonly admin?: boolean; readonly password: boolean }): Promise<void> {
  checkUserName(name);
  const role = admin ? 'admin' : 'member';
  const password = wantsPassword ? { password: await readPassword(name) } : {};
  await addUser(data(), { name, role, ...password });
  note({ what: 'user added', id: name, detail: role });
  await tell({ name, role }, `${name} is ${admin ? 'an administrator' : 'a member'} of this server now.`, json);
}

/** `skillmint users list`. */
export async function listUsersCommand({ json }: Shown): Promise<void> {
  const users = readUsers(data()).map(({ name, role, password, tokens }) => ({ name, role, password: password !== undefined, tokens: tokens.map(({ id, made }) => ({ id, made })) }));
  if (json) return printJson({ users });
  const lines = users.map(({ name, role, password, tokens }) => `${name.padEnd(32)}  ${role.padEnd(6)}  ${password ? 'password' : 'no password'}${tokens.map(({ id, made }) => `\n    token ${id}, made ${made}`).join('')}\n`);
  await write(process.stdout, users.length === 0 ? 'There are no users. Add one: skillmint users add NAME --admin\n' : lines.join(''));
}

/** `skillmint users remove`. */
export async function removeUserCommand(name: string, { json }: Shown): Promise<void> {
  await removeUser(data(), name);
  note({ what: 'user removed', id: name });
  const folder = path.join(data(), 'users', name);
  await tell({ removed: name, data: folder }, `${name} cannot log in any more. What was theirs stays in ${folder} and in their workspace; a new user of this name would have it.`, json);
}

/** `skillmint users password`. */
export async function passwordCommand(name: string, { json }: Shown): Promise<void> {
  await setPassword(data(), name, await readPassword(name));
  note({ what: 'password changed', id: name });
  await tell({ name }, `${name} has another password now; logins and tokens of before have ended.`, json);
}

/** `skillmint users role`. */
export async function roleCommand(name: string, given: string, { json }: Shown): Promise<void> {
  const role = oneOf(given, ['admin', 'member'], 'role');
  await setRole(data(), name, role);
  note({ what: 'role changed', id: name, detail: role });
  await tell({ name, role }, `${name} is ${role === 'admin' ? 'an administrator' : 'a member'} now; logins of before have ended.`, json);
}

/** `skillmint users token`. */
export async function tokenCommand(name: string, { revoke, json }: Shown & { readonly revoke?: string }): Promise<void> {
  if (revoke !== undefined) {
    await revokeToken(data(), name, revoke);
    note({ what: 'token revoked', id: name, detail: revoke });
    return tell({ name, revoked: revoke }, revoke === 'all' ? `All tokens of ${name} have ended.` : `The token ${revoke} of ${name} has ended.`, json);
  }
  const made = await makeToken(data(), name, new Date());
  note({ what: 'token made', id: name, detail: made.id });
  if (json) return printJson({ name, ...made });
  await write(process.stderr, `Token ${made.id} of ${name}; it is shown this once. Programs send it: Authorization: Bearer TOKEN\n`);
  await write(process.stdout, `${made.token}\n`);
}

async function tell(value: object, sentence: string, json: boolean | undefined): Promise<void> {
  if (json) return printJson(value);
  await write(process.stdout, `${oneLine(sentence)}\n`);
}

function data(): string {
  return dataFolder(process.env, homeFolder(process.env));
}

/** Whoever sits at the machine is named by their name there. */
function note(entry: Pick<Parameters<AuditLog['note']>[0], 'what' | 'id' | 'detail'>): void {
  auditLog({ dataFolder: data(), now: Date.now, onFault: (line) => void process.stderr.write(`skillmint: ${line}\n`) }).note({ user: `${os.userInfo().username} (command line)`, ...entry });
}
