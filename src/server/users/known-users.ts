import { messageOf } from '../../protocol/errors.ts';
import type { Role } from '../tenant.ts';
import { isUserName } from './user-name.ts';
import type { UsersOptions } from './users-options.ts';
import { watchedUsers, type Users } from './users-file.ts';

/** The users as their file has them at each call; none while it is broken, which is told once. @throws SkillmintError where it is broken now */
export function knownUsers(dataFolder: string, log: (line: string) => void): () => Users {
  const read = watchedUsers(dataFolder);
  let told: string | undefined;
  read();
  return () => {
    try {
      const users = read();
      told = undefined;
      return users;
    } catch (error) {
      const line = `nobody is let in: ${messageOf(error)}`;
      if (line !== told) log(line);
      told = line;
      return [];
    }
  };
}

/** What a name is on this server; undefined for nobody. */
export function roleIn(users: Users, name: string, login: UsersOptions['login']): Role | undefined {
  const known = users.find((user) => user.name === name)?.role;
  return known ?? (login.kind === 'header' && login.makesMembers && isUserName(name) ? 'member' : undefined);
}
