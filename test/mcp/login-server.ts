import { createHash } from 'node:crypto';
import http from 'node:http';
import { onTestFinished } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';

/** An MCP server over HTTP that wants OAuth, and its server of logins, on one address of this machine. */
export interface LoginServer {
  readonly url: string;
  /** Tokens that it takes now. */
  readonly valid: Set<string>;
  /** Paths at which it never answers. */
  readonly silent: Set<string>;
  readonly seen: { readonly registrations: unknown[]; readonly tokenRequests: Readonly<Record<string, string>>[]; readonly authorizations: (string | undefined)[] };
}

/** `away`: nothing is where it usually is, and what the answer 401 names leads to it. */
export async function loginServer(options: { readonly rotate?: boolean; readonly away?: boolean } = {}): Promise<LoginServer> {
  const valid = new Set<string>();
  const silent = new Set<string>();
  const seen: LoginServer['seen'] = { registrations: [], tokenRequests: [], authorizations: [] };
  const codes = new Map<string, string>();
  let count = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const asked = new URL(request.url ?? '/', base());
      const json = (value: unknown, status = 200, headers: Record<string, string> = {}): void => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
      const [described, tenant] = options.away ? ['/about/me', '/tenant'] : ['/.well-known/oauth-protected-resource/mcp', ''];
      const issuer = `${base()}${tenant}`;
      if (silent.has(asked.pathname)) return;
      switch (asked.pathname) {
        case described: return json({ resource: `${base()}/mcp`, authorization_servers: [issuer] });
        case `/.well-known/oauth-authorization-server${tenant}`: return json({ issuer, authorization_endpoint: `${base()}/authorize`, token_endpoint: `${base()}/token`, registration_endpoint: `${base()}/register`, response_types_supported: ['code'], grant_types_supported: ['authorization_code', 'refresh_token'], code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'] });
        case '/register': {
          const wanted: unknown = JSON.parse(body);
          seen.registrations.push(wanted);
          return json({ ...(isObject(wanted) ? wanted : {}), client_id: `client-${seen.registrations.length}` }, 201);
        }
        case '/authorize': {
          const code = `code-${++count}`;
          codes.set(code, asked.searchParams.get('code_challenge') ?? '');
          return void response.writeHead(302, { location: `${asked.searchParams.get('redirect_uri') ?? ''}?code=${code}&state=${encodeURIComponent(asked.searchParams.get('state') ?? '')}` }).end();
        }
        case '/token': {
          const form = Object.fromEntries(new URLSearchParams(body));
          seen.tokenRequests.push(form);
          const proven = form['grant_type'] === 'refresh_token' || codes.get(form['code'] ?? '') === createHash('sha256').update(form['code_verifier'] ?? '').digest('base64url');
          if (!proven || (form['grant_type'] === 'refresh_token' && !/^refresh-\d+$/.test(form['refresh_token'] ?? ''))) return json({ error: 'invalid_grant' }, 400);
          const token = `token-${++count}`;
          valid.add(token);
          return json({ access_token: token, token_type: 'Bearer', expires_in: 3600, ...(form['grant_type'] === 'refresh_token' && options.rotate === false ? {} : { refresh_token: `refresh-${count}` }) });
        }
        case '/mcp': {
          const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1];
          seen.authorizations.push(token);
          if (token === undefined || !valid.has(token)) return json({ error: 'invalid_token' }, 401, { 'www-authenticate': `Bearer resource_metadata="${base()}${described}", scope="tools:call"` });
          if (request.method !== 'POST') return void response.writeHead(405).end();
          return answer(JSON.parse(body), json, response);
        }
        default: return void response.writeHead(404).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = (): string => {
    const place = server.address();
    return `http://127.0.0.1:${place !== null && typeof place === 'object' ? place.port : 0}`;
  };
  return { url: `${base()}/mcp`, valid, silent, seen };
}

function answer(message: unknown, json: (value: unknown) => void, response: http.ServerResponse): void {
  const { id, method } = isObject(message) ? message : {};
  if (id === undefined) return void response.writeHead(202).end();
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'locked', version: '1' } }
    : method === 'tools/list' ? { tools: [{ name: 'work', description: 'Does the work.', inputSchema: { type: 'object' } }] }
    : method === 'tools/call' ? { content: [{ type: 'text', text: 'done behind the door' }] }
    : method === 'ping' ? {} : undefined;
  json({ jsonrpc: '2.0', id, ...(result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }) });
}
