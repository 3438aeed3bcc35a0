import type { LoginCookies } from '../login/login-cookie.ts';
import { bearerOf, waiting, type Credential, type LoginDoor } from '../login/login-door.ts';
import type { LoginLimit } from '../login/login-limit.ts';
import { hashToken, isPassword } from './password.ts';
import type { TrustedProxies } from './trusted-proxies.ts';
import { isUserName } from './user-name.ts';
import type { Users } from './users-file.ts';

/** What both doors are made of. */
export interface UserDoorParts {
  /** As they are now. */
  readonly users: () => Users;
  readonly proxies: TrustedProxies;
  readonly cookies: LoginCookies;
}

/** Lets in who has an account: by name and password for a cookie, programs by a token of theirs. */
export function accountDoor({ users, proxies, cookies, limit }: UserDoorParts & { readonly limit: LoginLimit }): LoginDoor {
  return {
    kind: 'password',
    credentialOf: (headers) => {
      const bearer = bearerOf(headers);
      if (bearer !== undefined) return ofToken(users(), bearer);
      const name = cookies.read(headers.get('cookie') ?? undefined);
      return name === undefined ? undefined : { name, byCookie: true };
    },
    logIn: async ({ words, address, secure }) => {
      if (!('name' in words)) return { kind: 'other way' };
      const { name, password } = words;
      const counted = [`address ${address}`, `name ${name.slice(0, 100)}`];
      const wait = Math.max(...counted.map((each) => limit.wait(each)));
      if (wait > 0) return waiting(wait);
      // Counted before the slow part: many at once are as many as one after the other.
      for (const each of counted) limit.failed(each);
      const user = users().find((one) => one.name === name);
      if (!(await isPassword(password, user?.password))) return { kind: 'refused' };
      for (const each of counted) limit.forgive(each);
      return { kind: 'in', name, cookie: cookies.give(name, { secure }) };
    },
    logOut: () => cookies.take(),
    addressOf: proxies.addressOf,
  };
}

/**
 * Lets in whom a proxy names in a header, and programs by a token of a user. The header counts on connections from the proxy
 * alone. `makesMembers`: names that are no users are members.
 */
export function proxyDoor({ users, proxies, cookies, header, makesMembers }: UserDoorParts & { readonly header: string; readonly makesMembers: boolean }): LoginDoor {
  return {
    kind: 'proxy',
    credentialOf: (headers, address) => {
      const bearer = bearerOf(headers);
      const known = bearer === undefined ? undefined : ofToken(users(), bearer);
      if (known) return known;
      const name = (headers.get(header) ?? '').trim().toLowerCase();
      if (!proxies.has(address) || !isUserName(name)) return undefined;
      // Browsers log in to the proxy by themselves: what another site makes them send comes with a name, too.
      return makesMembers || users().some((user) => user.name === name) ? { name, byCookie: true } : undefined;
    },
    logIn: async () => ({ kind: 'other way' }),
    logOut: () => cookies.take(),
    addressOf: proxies.addressOf,
  };
}

function ofToken(users: Users, token: string): Credential | undefined {
  const hash = hashToken(token);
  const user = users.find(({ tokens }) => tokens.some((one) => one.hash === hash));
  return user && { name: user.name, byCookie: false };
}
