import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Hono } from 'hono';
import { localTree } from '../host/local-tree.ts';
import { messageOf, systemCode } from '../protocol/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AppEnv } from '../server/app-env.ts';
import { hostGuard } from '../server/guards/host-guard.ts';
import { refuseForeignOrigin } from '../server/guards/origin-guard.ts';
import { refusal } from '../server/http-error.ts';
import { listen } from '../server/listen.ts';
import { isEqual } from '../server/login/login-cookie.ts';
import { bearerOf } from '../server/login/login-door.ts';
import { inAddress, isEveryAddress, isLoopback } from '../server/open-to-others.ts';
import { pacedWork } from '../util/paced-work.ts';
import { openCalls } from './open-calls.ts';
import { openForms } from './open-forms.ts';
import { publishedSkills, type PublishedSkills } from './published-skills.ts';
import { skillServer, stateCodec, type SkillServerParts } from './skill-server.ts';

/** It is looked for changes of skills this often, ms. */
const LOOK_MS = 5_000;
/** Clients wait so long for the first list of resources, ms: many ask for it once. What is not read by then is told as a change. */
const FIRST_LIST_MS = 2_000;
/** Requests that run when the server ends have so long, ms. */
const LAST_REQUESTS_MS = 2_000;
const ADDRESS = '/mcp';

/** Whose skills are served. */
export interface ServeSkillsOptions {
  readonly runtime: Runtime;
  /** Absolute. */
  readonly cwd: string;
  /** Is told of what goes wrong beside requests, one sentence each. */
  readonly log: (line: string) => void;
}

/** A server of skills that runs. */
export interface SkillsServed {
  /** Resolves when the client is gone; never for HTTP. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves over standard input and output. */
export async function serveSkillsOverStdio(options: ServeSkillsOptions): Promise<SkillsServed> {
  const { parts, published } = await opened(options);
  const looking = look({ published, log: options.log, onChange: () => undefined });
  const handle = serveStdio(async (context) => (await looking.first, skillServer(parts, context)), {
    onerror(error) {
      // A client that reads no more is gone, which is the end and no fault.
      if (systemCode(error) !== 'EPIPE') options.log(faultText(error));
    },
  });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdout.once('error', () => resolve());
  });
  return {
    ended,
    async close() {
      await Promise.all([looking.stop(), parts.calls.end()]);
      await handle.close();
    },
  };
}

/** Where HTTP is served. */
export interface HttpPlace {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly allowHosts: readonly string[];
}

/** Serves over streamable HTTP behind the doors of all servers here: host, origin, token. @throws SkillmintError io when the port cannot be had */
export async function serveSkillsOverHttp(options: ServeSkillsOptions, { host, port: wanted, token, allowHosts }: HttpPlace): Promise<SkillsServed & { readonly url: string }> {
  const { parts, published } = await opened(options);
  const looking = look({ published, log: options.log, onChange: () => handler.notify.resourcesChanged() });
  const handler = createMcpHandler(async (context) => (await looking.first, skillServer(parts, context)), { onerror: (error) => options.log(faultText(error)) });
  let port = wanted;
  const hosts = hostGuard({ port: () => port, allowed: isLoopback(host) ? allowHosts : [...allowHosts, inAddress(host)] });
  const app = new Hono<AppEnv>();
  app.use(async ({ req }, next) => {
    const name = req.header('host') ?? '';
    const refused = hosts.refuse(name) ?? refuseForeignOrigin({ method: req.method, host: name, origin: req.header('origin'), fetchSite: req.header('sec-fetch-site'), byCookie: false });
    if (refused) return refused;
    const bearer = bearerOf(req.raw.headers);
    if (bearer === undefined || !isEqual(bearer, token)) return refusal(401, 'unauthorized', 'This needs the token of the server: Authorization: Bearer TOKEN.', { 'www-authenticate': 'Bearer' });
    await next();
    return undefined;
  });
  app.all(ADDRESS, ({ req }) => handler.fetch(req.raw));
  app.notFound(({ req }) => refusal(404, 'not_found', `There is nothing at ${req.method} ${req.path}. The server of skills is at ${ADDRESS}.`));
  const listening = await listen({ app: () => app, host, port });
  ({ port } = listening);
  return {
    url: `http://${inAddress(isEveryAddress(host) ? '127.0.0.1' : host)}:${port}${ADDRESS}`,
    ended: new Promise(() => undefined),
    async close() {
      await Promise.all([looking.stop(), parts.calls.end()]);
      await handler.close();
      await listening.close(LAST_REQUESTS_MS);
    },
  };
}

async function opened({ runtime, cwd, log }: ServeSkillsOptions): Promise<{ readonly parts: SkillServerParts; readonly published: PublishedSkills }> {
  const [tools, published] = await Promise.all([runtime.skillTools({ cwd }), publishedSkills({ runtime, tree: localTree(), cwd, log })]);
  return { parts: { tools, catalog: published.catalog, codec: stateCodec(), forms: openForms(), calls: openCalls() }, published };
}

/** What the library complains of, as a sentence. */
function faultText(error: Error): string {
  return /^\$?Zod/.test(error.name) ? 'The client has sent something that is no message of the protocol; it was left out.' : messageOf(error);
}

interface Looking {
  /** Resolves once the skills were published, or after a while. */
  readonly first: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Publishes skills now, and again when they have changed. */
function look({ published, log, onChange }: { readonly published: PublishedSkills; readonly log: (line: string) => void; readonly onChange: () => void }): Looking {
  const { first, stop } = pacedWork(LOOK_MS, async () => {
    try {
      if (await published.refresh()) onChange();
    } catch (error) {
      log(`The skills cannot be published as resources: ${messageOf(error)}`);
    }
  });
  const patience = new Promise<void>((resolve) => setTimeout(resolve, FIRST_LIST_MS).unref());
  return { first: Promise.race([first, patience]), stop };
}
