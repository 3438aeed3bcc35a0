import type { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { ApiAuditEntry } from '../../api/audit-endpoints.ts';
import { refusal } from '../http-error.ts';
import { isObject } from '../../protocol/json.ts';
import { readJson } from '../request-body.ts';
import type { LoginDoor, LoginKind, LoginWords } from './login-door.ts';
import { seldom } from './seldom.ts';

const MOST_BYTES = 10_000;
/** Names that are tried are written down, as long as they could be one. */
const MOST_NAME = 64;
/** Of an address that has to wait so seldom a line is written, ms: whoever goes on trying cannot fill the log, until it holds nothing else. */
const WAITS_MS = 60_000;

const SENT: Readonly<Record<LoginKind, string>> = {
  token: 'Send the token: {"token":"…"}.',
  password: 'Send name and password: {"name":"…","password":"…"}.',
  proxy: 'There is no login here: the proxy before this server says who you are.',
};
const WRONG: Readonly<Record<LoginKind, string>> = {
  token: 'That is not the token of this server. It was printed when the server started.',
  password: 'Name and password do not fit.',
  proxy: SENT.proxy,
};

/** What logging in takes. */
export interface LoginRouteParts {
  readonly login: LoginDoor;
  readonly note: (entry: Omit<ApiAuditEntry, 'time'>) => void;
}

/** Logging in and out: `GET /api/login` says what it takes, `POST` gives the cookie, `POST /api/logout` takes it away. */
export function loginRoutes(app: Hono<AppEnv>, { login, note }: LoginRouteParts): void {
  const isNews = seldom(WAITS_MS, Date.now);
  app.get('/api/login', () => Response.json({ kind: login.kind }));
  app.post('/api/login', async (context) => {
    const { raw } = context.req;
    const words = wordsOf(await readJson(raw, MOST_BYTES));
    if (!words) return refusal(400, 'invalid_argument', SENT[login.kind]);
    const address = login.addressOf(raw.headers, context.env.address);
    const tried = 'name' in words ? { detail: words.name.slice(0, MOST_NAME) } : {};
    const attempt = await login.logIn({ words, address, secure: (context.req.header('origin') ?? '').startsWith('https:') });
    switch (attempt.kind) {
      case 'in':
        note({ user: attempt.name, address, what: 'login' });
        return Response.json({ status: 'ok' }, { headers: { 'set-cookie': attempt.cookie } });
      case 'refused':
        note({ address, what: 'login failed', ...tried });
        return refusal(401, 'unauthorized', WRONG[login.kind]);
      case 'wait':
        if (isNews(address)) note({ address, what: 'login has to wait', ...tried });
        return refusal(429, 'too_many_attempts', `Too many attempts. Try again in ${attempt.seconds} seconds.`, { 'retry-after': `${attempt.seconds}` });
      case 'other way': return refusal(400, 'invalid_argument', SENT[login.kind]);
    }
  });
  app.post('/api/logout', () => Response.json({ status: 'ok' }, { headers: { 'set-cookie': login.logOut() } }));
}

function wordsOf(body: unknown): LoginWords | undefined {
  if (!isObject(body)) return undefined;
  const { token, name, password } = body;
  if (typeof token === 'string' && name === undefined && password === undefined) return { token };
  return typeof name === 'string' && typeof password === 'string' && token === undefined ? { name, password } : undefined;
}
