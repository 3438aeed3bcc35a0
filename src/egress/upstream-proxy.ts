import { SkillmintError } from '../protocol/errors.ts';
import { plainHost } from './allow-list.ts';

/** The proxy for a target, if one is set. Never used for this machine. */
export type ProxyChoice = (target: { readonly tls: boolean; readonly host: string; readonly port: number }) => URL | undefined;

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` (in small letters first, as other programs do). `NO_PROXY`
 * holds names, each for itself and all below it, `HOST:PORT`, or `*`. Throws `config_invalid` for an address that is none.
 */
export function chooseProxy(env: Readonly<Record<string, string | undefined>>): ProxyChoice {
  const read = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  const all = read('ALL_PROXY');
  const http = proxyUrl(read('HTTP_PROXY') ?? all);
  const https = proxyUrl(read('HTTPS_PROXY') ?? all ?? read('HTTP_PROXY'));
  const direct = (read('NO_PROXY') ?? '').split(/[\s,]+/).filter((entry) => entry !== '').map((entry) => entry.toLowerCase());
  return ({ tls, host, port }) => {
    const name = plainHost(host);
    if (isThisMachine(name) || direct.some((entry) => entry === '*' || matches(entry, name, port))) return undefined;
    return tls ? https : http;
  };
}

/** `Proxy-Authorization` for a proxy whose address holds a name or password. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function proxyUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full) || !/^https?:$/.test(new URL(full).protocol)) {
    throw new SkillmintError('config_invalid', 'The proxy in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY is no http or https address. Set it to http://HOST:PORT, or clear it.');
  }
  return new URL(full);
}

function isThisMachine(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name.startsWith('127.');
}

function matches(entry: string, name: string, port: number): boolean {
  const [, host = entry, only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const domain = host.replace(/^\*?\./, '');
  return (only === undefined || Number(only) === port) && (name === domain || name.endsWith(`.${domain}`));
}
