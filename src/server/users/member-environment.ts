import path from 'node:path';
import { isInside } from '../../host/paths.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const KEPT = /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|NO_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/i;
const PROXIES = /^(?:HTTP|HTTPS|ALL)_PROXY$/i;

/**
 * The variables of a member's runtime: no key, no setting and no folder of whoever runs the server is among them, so that no
 * rule and no setting can hand one on. Of the PATH remains what lies outside of the server's home, and Node itself.
 */
export function memberEnvironment(env: Variables, { home, serverHome, execPath }: { readonly home: string; readonly serverHome: string; readonly execPath: string }): Variables {
  const programs = [...(env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder) && !isInside(serverHome, folder)), path.dirname(execPath)];
  const kept = Object.entries(env).flatMap(([name, value]): readonly [string, string][] => {
    if (value === undefined) return [];
    if (PROXIES.test(name)) return [[name, value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, '$1')]];
    return KEPT.test(name) ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(kept), PATH: [...new Set(programs)].join(path.delimiter), HOME: home };
}
