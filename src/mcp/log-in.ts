import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { auth, extractWWWAuthenticateParams, type OAuthClientProvider, type OAuthDiscoveryState, type StoredOAuthClientInformation, type StoredOAuthTokens } from '@modelcontextprotocol/client';
import { SkillmintError } from '../protocol/errors.ts';
import type { ServerDefinition } from './definition.ts';
import { httpWay } from './http-way.ts';
import { CLIENT_METADATA, LOGIN_ANSWER_MS, type Login, type LoginStore } from './logins.ts';

/** How long a person may take, in ms. */
const PATIENCE_MS = 5 * 60_000;

/** What a login takes. */
export interface LoginParts {
  readonly definition: Extract<ServerDefinition, { kind: 'http' }>;
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: LoginStore;
  /** Shows the address at which the person logs in; it is never opened or run. */
  readonly show: (url: string) => Promise<void>;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly code: string;
  readonly iss: string | undefined;
}

/** Waits for the browser on an address of this machine that is open for this one answer. */
interface Callback {
  readonly redirectUrl: string;
  readonly answer: Promise<Answer>;
  close(): void;
}

/**
 * Logs in at a server with OAuth: finds out where, registers skillmint there, shows the person the address, waits for the
 * answer (at most 5 min) and keeps the tokens. Rejects with `permission_denied` when the person or the server says no, with
 * `timeout`, `interrupted`, `network_failed` and `egress_refused`.
 */
export async function logIn({ definition, allow, env, store, show, signal }: LoginParts): Promise<void> {
  const { url } = definition;
  const state = randomBytes(24).toString('base64url');
  const fetchFn = httpWay({ definition, allow, env, onTooLarge: () => undefined, answerMs: LOGIN_ANSWER_MS, signal });
  const callback = await openCallback(state, signal);
  const kept: { client?: StoredOAuthClientInformation; tokens?: StoredOAuthTokens; discovery?: OAuthDiscoveryState; verifier: string } = { verifier: '' };
  const provider: OAuthClientProvider = {
    redirectUrl: callback.redirectUrl,
    clientMetadata: { ...CLIENT_METADATA, redirect_uris: [callback.redirectUrl] },
    state: () => state,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => { kept.client = client; },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => { kept.tokens = tokens; },
    redirectToAuthorization: (address) => show(checked(address)),
    saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (discovery) => { kept.discovery = discovery; },
    discoveryState: () => kept.discovery,
  };
  try {
    const asked = { serverUrl: url, fetchFn, ...(await challengeOf(definition, fetchFn)) };
    if ((await auth(provider, asked)) === 'REDIRECT') {
      const { code, iss } = await callback.answer;
      await auth(provider, { ...asked, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
    }
    const { client, tokens, discovery: place } = kept;
    if (!client || !tokens) throw new SkillmintError('permission_denied', 'The server gave no token.');
    await store.change(url, async (): Promise<Login> => ({ client, tokens, ...(place ? { place } : {}) }));
  } finally {
    callback.close();
  }
}

/** Where a server that is asked without a login says that it is described, and what it wants the login to be for. */
async function challengeOf({ url, headers }: LoginParts['definition'], fetchFn: typeof fetch): Promise<{ readonly resourceMetadataUrl?: URL; readonly scope?: string }> {
  const response = await fetchFn(url, { method: 'POST', headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }) });
  await response.body?.cancel();
  if (response.status !== 401) return {};
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}), ...(scope === undefined ? {} : { scope }) };
}

function checked(address: URL): string {
  if (address.protocol !== 'https:' && address.protocol !== 'http:') throw new SkillmintError('egress_refused', `The server names the address ${address.href.slice(0, 200)} for its login, which is none of the web.`);
  return address.href;
}

async function openCallback(state: string, signal: AbortSignal): Promise<Callback> {
  const server = http.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('the callback has a port');
  const redirectUrl = `http://127.0.0.1:${place.port}/callback`;
  const late = setTimeout(() => server.emit('skillmint-late'), PATIENCE_MS);
  const answer = new Promise<Answer>((resolve, reject) => {
    const stop = (): void => reject(new SkillmintError('interrupted', 'Interrupted; nothing was kept.'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    server.on('skillmint-late', () => reject(new SkillmintError('timeout', `Nobody has logged in for ${PATIENCE_MS / 60_000} minutes. Try again.`)));
    server.on('request', (request, response) => {
      const asked = new URL(request.url ?? '/', redirectUrl);
      const say = (status: number, text: string): void => void response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', connection: 'close' }).end(`${text}\n`);
      // Others on this machine can send something, too.
      if (request.method !== 'GET' || asked.pathname !== '/callback' || asked.searchParams.get('state') !== state) return say(404, 'There is nothing here.');
      const code = asked.searchParams.get('code');
      say(200, code === null ? 'The login was refused. You can close this page.' : 'You are logged in. You can close this page.');
      if (code !== null) resolve({ code, iss: asked.searchParams.get('iss') ?? undefined });
      else reject(new SkillmintError('permission_denied', `The login was refused: ${asked.searchParams.get('error_description') ?? asked.searchParams.get('error') ?? 'no reason was given'}`));
    });
  });
  // It is waited for only once the person has been shown the address.
  answer.catch(() => undefined);
  return {
    redirectUrl,
    answer,
    close: () => {
      clearTimeout(late);
      server.close();
    },
  };
}
