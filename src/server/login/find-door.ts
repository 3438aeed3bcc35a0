import type { ServeOptions } from '../serve-options.ts';
import { knownUsers } from '../users/known-users.ts';
import { trustedProxies } from '../users/trusted-proxies.ts';
import { accountDoor, proxyDoor } from '../users/user-doors.ts';
import { hasUsers } from '../users/users-options.ts';
import { loginCookies } from './login-cookie.ts';
import { OWNER, tokenDoor, type LoginDoor } from './login-door.ts';
import { loginLimit } from './login-limit.ts';

/** The door of a server, as it was started. `token` opens it, or signs its cookies where there are users. */
export function findDoor({ runtime, dataFolder, log, token, port }: Pick<ServeOptions, 'runtime' | 'dataFolder' | 'log'> & { readonly token: string; readonly port: () => number }): LoginDoor {
  const limit = loginLimit(Date.now);
  const cookie = { secret: token, port, now: Date.now };
  if (!hasUsers(runtime)) return tokenDoor({ token, limit, cookies: loginCookies({ ...cookie, stampOf: (name) => (name === OWNER ? '' : undefined) }) });
  const users = knownUsers(dataFolder, log);
  const parts = { users, proxies: trustedProxies(runtime.proxies), cookies: loginCookies({ ...cookie, stampOf: (name) => users().find((user) => user.name === name)?.stamp }) };
  const { login } = runtime;
  return login.kind === 'accounts' ? accountDoor({ ...parts, limit }) : proxyDoor({ ...parts, header: login.header, makesMembers: login.makesMembers });
}
