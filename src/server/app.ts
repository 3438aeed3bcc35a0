import { Hono, type Context } from 'hono';
import type { AppEnv } from './app-env.ts';
import { audited } from './audit/audited.ts';
import type { ApiAuditEntry } from '../api/audit-endpoints.ts';
import type { AnsweredRequest } from '../telemetry/server-telemetry.ts';
import { valueCheck } from './check-value.ts';
import type { HostGuard } from './guards/host-guard.ts';
import { refuseForeignOrigin } from './guards/origin-guard.ts';
import { SECURITY_HEADERS } from './guards/security-headers.ts';
import { errorAnswer, refusal } from './http-error.ts';
import type { LoginDoor } from './login/login-door.ts';
import { loginRoutes } from './login/login-routes.ts';
import { openApi } from './openapi.ts';
import { pageRoutes } from './page-routes.ts';
import { readJson, USUAL_BODY } from './request-body.ts';
import type { Readiness } from './readiness.ts';
import type { Route } from './route.ts';
import type { People } from './people.ts';

/** What the server is made of. */
export interface AppParts {
  readonly routes: readonly Route[];
  readonly hosts: HostGuard;
  readonly login: LoginDoor;
  /** Folder of the built web interface; none is offered when left out. */
  readonly pages?: string;
  /** Those who can log in, with what belongs to them. */
  readonly people: People;
  /** Writes down who did what. */
  readonly note: (entry: Omit<ApiAuditEntry, 'time'>) => void;
  readonly version: string;
  /** Seconds since the start. */
  readonly uptime: () => number;
  /** Whether requests should come here. */
  readonly ready: () => Promise<Readiness>;
  /** Is told of each request of the API. */
  readonly onAnswer: (request: AnsweredRequest) => void;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
  /** Is told of faults of the program. */
  readonly onFault: (error: unknown) => void;
}

/** Puts the server together. Every request passes the same doors in the same order: host, origin, credential, route. */
export function buildApp(parts: AppParts): Hono<AppEnv> {
  const { hosts, login, onFault, routes } = parts;
  const app = new Hono<AppEnv>();
  app.onError((error) => withHeaders(errorAnswer(error, onFault)));
  app.use(async (context, next) => {
    const { req } = context;
    const host = req.header('host') ?? '';
    const credential = login.credentialOf(req.raw.headers, context.env.address);
    context.set('credential', credential);
    const refused = hosts.refuse(host) ?? refuseForeignOrigin({ method: req.method, host, origin: req.header('origin'), fetchSite: req.header('sec-fetch-site'), byCookie: credential?.byCookie === true });
    if (refused) return withHeaders(refused);
    await next();
    context.res = withHeaders(context.res);
    return undefined;
  });
  app.get('/health', (context) => context.json({ status: 'ok', uptime: parts.uptime() }));
  app.get('/ready', async (context) => {
    const status = await parts.ready();
    return context.json({ status }, status === 'ready' ? 200 : 503);
  });
  loginRoutes(app, { login, note: parts.note });
  if (parts.pages !== undefined) pageRoutes(app, parts.pages);
  app.use(async (context, next) => {
    if (context.get('credential') === undefined) return refusal(401, 'unauthorized', 'This needs the token of the server: Authorization: Bearer TOKEN.', { 'www-authenticate': 'Bearer' });
    await next();
    return undefined;
  });
  const document = openApi(routes.map(({ endpoint }) => endpoint), parts.version);
  app.get('/openapi.json', (context) => context.json(document));
  addRoutes(app, parts);
  app.notFound((context) => withHeaders(refusal(404, 'not_found', `There is nothing at ${context.req.method} ${context.req.path}. See: /openapi.json`)));
  return app;
}

function addRoutes(app: Hono<AppEnv>, { routes, people, login, note, signal, onAnswer, onFault }: AppParts): void {
  const { check } = valueCheck();
  // Connections that were open stay so for a moment; what comes over them belongs to the next server.
  app.use('/api/*', async (_context, next) => (signal.aborted ? refusal(503, 'server_ends', 'The server is about to end. Ask again in a moment.', { 'retry-after': '1', connection: 'close' }) : next()));
  for (const { endpoint, run } of routes) {
    const answerTo = (context: Context<AppEnv>): Promise<Response> => people.withTenant(context.get('credential')?.name ?? '', async (tenant) => {
      if (endpoint.admin && tenant.role !== 'admin') return refusal(403, 'permission_denied', 'Only an administrator of this server may do that.');
      const { raw } = context.req;
      const { address } = context.env;
      const isLetIn = (): boolean => login.credentialOf(raw.headers, address)?.name === tenant.name;
      const [params, query] = [{ ...context.req.param() }, context.req.query()];
      const body = endpoint.method === 'GET' || endpoint.bytes ? {} : await readJson(raw, endpoint.most ?? USUAL_BODY);
      const answer = await run({ check, tenant, raw, params, query, body, isLetIn, signal: AbortSignal.any([signal, tenant.signal, raw.signal]) });
      const told = audited(endpoint, { params, query, body, answer });
      if (told) note({ user: tenant.name, address: login.addressOf(raw.headers, address), ...told });
      if (answer instanceof Response) return raw.method === 'HEAD' ? headOf(answer) : answer;
      return Response.json(answer, { status: endpoint.status ?? 200 });
    });
    app.on(endpoint.method, endpoint.path, async (context) => {
      const started = performance.now();
      const answer = await answerTo(context).catch((error: unknown) => errorAnswer(error, onFault));
      onAnswer({ method: endpoint.method, path: endpoint.path, status: answer.status, tookMs: performance.now() - started });
      return answer;
    });
  }
}

/** The answer without its body, which nobody will read. */
async function headOf(answer: Response): Promise<Response> {
  await answer.body?.cancel();
  return new Response(null, answer);
}

function withHeaders(response: Response): Response {
  const own = new Response(response.body, response);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!own.headers.has(name)) own.headers.set(name, value);
  if (!own.headers.has('cache-control')) own.headers.set('cache-control', 'no-store');
  return own;
}
