import { discoverOAuthServerInfo, OAuthError, OAuthErrorCode, refreshAuthorization, type AuthProvider, type OAuthDiscoveryState, type StoredOAuthClientInformation, type StoredOAuthTokens } from '@modelcontextprotocol/client';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';

/** What is kept of a login at one address: who skillmint is there, the tokens, and where they are from, which older files do not have. */
export interface Login {
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
  readonly place?: OAuthDiscoveryState;
}

/** Where logins are kept, by address of the server. */
export interface LoginStore {
  /** Undefined where there is none. Throws `config_unreadable` or `config_invalid`. */
  read(url: string): unknown;
  /** Changes one while no other process does; undefined removes it. Rejects as `read` does, and with what `change` rejects with. */
  change(url: string, change: (before: unknown) => Promise<Login | undefined>): Promise<void>;
}

/** True for what a store may hold of a login. */
function isLogin(value: unknown): value is Login {
  if (!isObject(value) || !isObject(value['client']) || !isObject(value['tokens'])) return false;
  if (value['place'] !== undefined && !(isObject(value['place']) && typeof value['place']['authorizationServerUrl'] === 'string')) return false;
  return typeof value['client']['client_id'] === 'string' && typeof value['tokens']['access_token'] === 'string' && typeof value['tokens']['token_type'] === 'string';
}

/** How long one answer of a login may take, in ms: several are asked for, and others wait for the file of logins meanwhile. */
export const LOGIN_ANSWER_MS = 10_000;

/** What a server of logins answers that says nothing about the login. */
const PASSING: ReadonlySet<string> = new Set([OAuthErrorCode.ServerError, OAuthErrorCode.TemporarilyUnavailable, OAuthErrorCode.TooManyRequests]);

/** How skillmint introduces itself to a server of logins. */
export const CLIENT_METADATA = { client_name: 'skillmint', grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none' };

/** What a login is used with. */
interface KeptLoginParts {
  readonly store: LoginStore | undefined;
  readonly shortName: string;
  readonly url: string;
  readonly fetchFn: typeof fetch;
}

/** Sends the token of a login with each request; an expired one is renewed once for all processes. Undefined where there is no login. */
export function keptLogin({ store, shortName, url, fetchFn }: KeptLoginParts): AuthProvider | undefined {
  if (!store || !isLogin(store.read(url))) return undefined;
  const login = (): Login | undefined => {
    const kept = store.read(url);
    return isLogin(kept) ? kept : undefined;
  };
  let sent: string | undefined;
  return {
    token: async () => (sent = login()?.tokens.access_token),
    onUnauthorized: async () => {
      await store.change(url, async (before) => {
        if (!isLogin(before)) throw needsLogin(shortName);
        // Another process has renewed it meanwhile.
        if (before.tokens.access_token !== sent) return before;
        return renewed(before, { shortName, url, fetchFn });
      });
    },
  };
}

async function renewed(before: Login, { shortName, url, fetchFn }: Omit<KeptLoginParts, 'store'>): Promise<Login> {
  const { client, tokens: { refresh_token: refreshToken, issuer: givenBy } } = before;
  if (refreshToken === undefined) throw needsLogin(shortName);
  try {
    const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = before.place ?? await discoverOAuthServerInfo(url, { fetchFn });
    const issuer = metadata?.issuer ?? authorizationServerUrl;
    // What it was given is shown to nobody else, whatever the MCP server says now.
    if (givenBy !== undefined && issuer !== givenBy) throw needsLogin(shortName);
    const tokens = await refreshAuthorization(authorizationServerUrl, { clientInformation: client, refreshToken, fetchFn, ...(metadata ? { metadata } : {}), ...(resourceMetadata ? { resource: resourceMetadata.resource } : {}) });
    return { ...before, tokens: { ...tokens, issuer } };
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    if (error instanceof OAuthError && !PASSING.has(error.code)) throw needsLogin(shortName, error);
    throw new SkillmintError('network_failed', `the login there could not be renewed: ${messageOf(error)}`, { cause: error });
  }
}

/** The error for a server that wants a login. */
export function needsLogin(shortName: string, cause?: unknown): SkillmintError {
  return new SkillmintError('permission_denied', `it wants you to log in: skillmint mcp login ${shortName}`, { cause });
}
