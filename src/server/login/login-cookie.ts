import { createHmac, timingSafeEqual } from 'node:crypto';

const LIVES_S = 30 * 24 * 3_600;

/** Cookies that say who has logged in. They are signed, not stored: another token ends them all. */
export interface LoginCookies {
  /** The header that sets the cookie; `secure` where the page came encrypted. */
  readonly give: (name: string, options: { readonly secure: boolean }) => string;
  /** The header that takes it away. */
  readonly take: () => string;
  /** Who has sent this `Cookie` header; undefined for nobody, a forged cookie or one that is too old. */
  readonly read: (header: string | undefined) => string | undefined;
}

/** What cookies are made with. */
export interface CookieParts {
  readonly secret: string;
  /** Keeps those of several servers of one machine apart. */
  readonly port: () => number;
  readonly now: () => number;
  /** Changes when the cookies of a person are to end; undefined for somebody who is not known. */
  readonly stampOf: (name: string) => string | undefined;
}

/** Makes cookies for a server. */
export function loginCookies({ secret, port, now, stampOf }: CookieParts): LoginCookies {
  const name = (): string => `skillmint-${port()}`;
  const sign = (text: string, stamp: string): string => createHmac('sha256', `cookie ${secret}`).update(`${text}.${stamp}`).digest('base64url');
  return {
    give: (person, { secure }) => {
      const text = `${Buffer.from(person).toString('base64url')}.${Math.floor(now() / 1_000) + LIVES_S}`;
      return `${name()}=${text}.${sign(text, stampOf(person) ?? '')}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${LIVES_S}${secure ? '; Secure' : ''}`;
    },
    take: () => `${name()}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    read: (header) => {
      const value = (header ?? '').split(';').map((part) => part.trim()).find((part) => part.startsWith(`${name()}=`))?.slice(name().length + 1);
      const [person = '', until = '', signature = ''] = value?.split('.') ?? [];
      const who = Buffer.from(person, 'base64url').toString('utf8');
      const stamp = value === undefined ? undefined : stampOf(who);
      if (stamp === undefined || !isEqual(signature, sign(`${person}.${until}`, stamp)) || !(Number(until) * 1_000 >= now())) return undefined;
      return who;
    },
  };
}

/** Compares texts in a time that does not tell where they differ. */
export function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
