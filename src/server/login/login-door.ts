import { isEqual, type LoginCookies } from './login-cookie.ts';
import type { LoginLimit } from './login-limit.ts';

/** Who has sent a request. */
export interface Credential {
  /** Name of the person. */
  readonly name: string;
  /** The browser has sent it by itself. */
  readonly byCookie: boolean;
}

/** What a person logs in with: the token of the server, name and password, or nothing, where a proxy says who they are. */
export type LoginKind = 'token' | 'password' | 'proxy';

/** What was sent to log in. */
export type LoginWords = { readonly token: string } | { readonly name: string; readonly password: string };

/** How an attempt to log in went. */
export type LoginAttempt = { readonly kind: 'in'; readonly name: string; readonly cookie: string } | { readonly kind: 'refused' } | { readonly kind: 'wait'; readonly seconds: number } | { readonly kind: 'other way' };

/** Lets people in. */
export interface LoginDoor {
  readonly kind: LoginKind;
  /** Who has sent a request with these headers over a connection from this address; undefined for nobody. */
  readonly credentialOf: (headers: Headers, address: string) => Credential | undefined;
  /** Changes what a person knows for a cookie. */
  readonly logIn: (given: { readonly words: LoginWords; readonly address: string; readonly secure: boolean }) => Promise<LoginAttempt>;
  /** The header that takes the cookie away. */
  readonly logOut: () => string;
  /** Where a request comes from, which may be told by a proxy. */
  readonly addressOf: (headers: Headers, address: string) => string;
}

/** Name of whoever has the token of the server. */
export const OWNER = 'owner';

/** A door that one token opens. */
export function tokenDoor({ token, cookies, limit }: { readonly token: string; readonly cookies: LoginCookies; readonly limit: LoginLimit }): LoginDoor {
  return {
    kind: 'token',
    credentialOf: (headers) => {
      const bearer = bearerOf(headers);
      if (bearer !== undefined) return isEqual(bearer, token) ? { name: OWNER, byCookie: false } : undefined;
      const name = cookies.read(headers.get('cookie') ?? undefined);
      return name === undefined ? undefined : { name, byCookie: true };
    },
    logIn: async ({ words, address, secure }) => {
      if (!('token' in words)) return { kind: 'other way' };
      const wait = limit.wait(address);
      if (wait > 0) return waiting(wait);
      if (isEqual(words.token, token)) return { kind: 'in', name: OWNER, cookie: cookies.give(OWNER, { secure }) };
      limit.failed(address);
      return { kind: 'refused' };
    },
    logOut: () => cookies.take(),
    addressOf: (_headers, address) => address,
  };
}

/** The token that a program has sent. */
export function bearerOf(headers: Headers): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}

/** `ms` until the next attempt. */
export function waiting(ms: number): LoginAttempt {
  return { kind: 'wait', seconds: Math.ceil(ms / 1_000) };
}
