import path from 'node:path';
import { applyLayers } from '../../config/layers.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { UsersOptions } from '../../server/users/users-options.ts';
import type { CommandSettings } from '../load-settings.ts';

const HEADER = /^[A-Za-z][\w-]{0,63}$/;
/** They mean something else, and browsers may send some of them. */
const TAKEN = new Set(['authorization', 'cookie', 'host', 'origin', 'referer', 'user-agent', 'x-forwarded-for']);
const WORKSPACES = 'skillmint-workspaces';

/** What `skillmint serve` can be told of users. */
export interface UserFlags {
  readonly users?: boolean;
  readonly userHeader?: string;
  readonly trustedProxy?: readonly string[];
  readonly newMembers?: boolean;
  readonly workspaces?: string;
  readonly membersUnsandboxed?: boolean;
}

/** The users of a server as the flags want them; undefined where it has none. @throws SkillmintError usage */
export function usersOfFlags(flags: UserFlags, { home, loaded }: CommandSettings): UsersOptions | undefined {
  const { userHeader, trustedProxy = [], newMembers = false, membersUnsandboxed = false, workspaces } = flags;
  if (!flags.users && userHeader === undefined) {
    if (newMembers || membersUnsandboxed || workspaces !== undefined || trustedProxy.length > 0) throw new SkillmintError('usage', '--trusted-proxy, --new-members, --workspaces and --members-unsandboxed are for a server with users: add --users or --user-header NAME.');
    return undefined;
  }
  if (newMembers && userHeader === undefined) throw new SkillmintError('usage', '--new-members is for users whom a proxy names: add --user-header NAME. Accounts are added with: skillmint users add NAME');
  return {
    kind: 'users',
    login: userHeader === undefined ? { kind: 'accounts' } : { kind: 'header', header: checkedHeader(userHeader, trustedProxy), makesMembers: newMembers },
    proxies: trustedProxy,
    home,
    settings: applyLayers(loaded.layers.filter(({ name }) => name === 'user' || name === 'environment')),
    unsandboxed: membersUnsandboxed,
    workspaces: path.resolve(workspaces ?? path.join(home, WORKSPACES)),
  };
}

function checkedHeader(header: string, proxies: readonly string[]): string {
  if (!HEADER.test(header) || TAKEN.has(header.toLowerCase())) throw new SkillmintError('usage', `${JSON.stringify(header)} cannot be the header that names the user. Take one of its own, such as X-Remote-User.`);
  if (proxies.length === 0) throw new SkillmintError('usage', `Whoever reaches the server could send the header ${header}: say with --trusted-proxy ADDRESS which proxy it is taken from.`);
  return header;
}
