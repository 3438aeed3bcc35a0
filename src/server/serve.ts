import path from 'node:path';
import { realOrSame } from '../config/read-settings.ts';
import { localTree } from '../host/local-tree.ts';
import { existingFolder } from '../runtime/existing-folder.ts';
import { packageRoot } from '../runtime/package-root.ts';
import { VERSION } from '../version.ts';
import { buildApp } from './app.ts';
import { serverFiles, sharedToken } from './server-files.ts';
import { auditLog } from './audit/audit-log.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { hostGuard } from './guards/host-guard.ts';
import { listen } from './listen.ts';
import { findDoor } from './login/find-door.ts';
import type { People } from './people.ts';
import { readiness } from './readiness.ts';
import { findPeople } from './users/find-people.ts';
import { metricsRoutes } from './routes/metrics-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { settingsRoutes } from './routes/settings-routes.ts';
import { evaluationRoutes } from './routes/evaluation-routes.ts';
import { mcpRoutes } from './routes/mcp-routes.ts';
import { memoryRoutes } from './routes/memory-routes.ts';
import { serverRoutes } from './routes/server-routes.ts';
import { sidecarRoutes } from './routes/sidecar-routes.ts';
import { skillRoutes } from './routes/skill-routes.ts';
import { turnRoutes } from './routes/turn-routes.ts';
import { inAddress, isEveryAddress, isLoopback, refuseOpen } from './open-to-others.ts';
import type { ServeOptions } from './serve-options.ts';

/** Requests that run when the server ends have so long, ms. */
const LAST_REQUESTS_MS = 2_000;

/** A server that runs. */
export interface RunningServer {
  readonly url: string;
  /** Lets in where there are no users. */
  readonly token: string;
  /** The token was set by whoever started the server. */
  readonly tokenGiven: boolean;
  /** Resolves when it has ended; rejects with what has ended it. */
  readonly ended: Promise<void>;
  /** Ends it: turns that run are left, and go on when it is started again. A runtime that was given stays open. */
  readonly close: () => Promise<void>;
}

/** Starts the server. @throws SkillmintError usage where it would be open to others without need, invalid_argument for a root that is no folder, io for a port that cannot be had */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { offers, env, host, tokenFile, allowHosts, telemetry, log } = options;
  refuseOpen(options);
  const tree = localTree();
  const stop = new AbortController();
  const started = Date.now();
  const onFault = (error: unknown): void => log(error instanceof Error ? error.stack ?? error.message : String(error));
  const dataFolder = realOrSame(tree, options.dataFolder);
  const audit = auditLog({ dataFolder, now: Date.now, onFault: log });
  const files = await serverFiles({ ...options, dataFolder });
  const { token, given } = await sharedToken({ env, tokenFile, dataFolder }, files).catch(files.closeAndThrow);
  const people = await findPeople({ ...options, dataFolder, roots: options.roots.map((root) => existingFolder(tree, root)), signal: stop.signal }).catch(files.closeAndThrow);
  let port = options.port;
  const app = buildApp({
    routes: [...sidecarRoutes(), ...(offers === 'everything' ? [...sessionRoutes(), ...turnRoutes(), ...skillRoutes(), ...evaluationRoutes(), ...settingsRoutes(), ...mcpRoutes(), ...memoryRoutes(), ...serverRoutes(), ...auditRoutes(audit)] : []), ...(telemetry ? metricsRoutes(telemetry) : [])],
    hosts: hostGuard({ port: () => port, allowed: isLoopback(host) ? allowHosts : [...allowHosts, inAddress(host)] }),
    login: findDoor({ ...options, dataFolder, token, port: () => port }),
    ...(offers === 'everything' ? { pages: path.join(packageRoot(), 'dist', 'web') } : {}),
    people,
    note: offers === 'everything' ? (entry) => audit.note(entry) : () => undefined,
    version: VERSION,
    uptime: () => Math.round((Date.now() - started) / 1_000),
    ready: readiness({ reachable: people.reachable, signal: stop.signal, now: () => performance.now() }),
    onAnswer: (request) => telemetry?.request(request),
    signal: stop.signal,
    onFault,
  });
  const { ended } = await beginWork(people);
  const listening = await listen({ app: () => app, host, port }).catch(async (error: unknown) => {
    stop.abort();
    await ended;
    await people.close();
    await files.close();
    throw error;
  });
  ({ port } = listening);
  const close = async (): Promise<void> => {
    stop.abort();
    await Promise.all([listening.close(LAST_REQUESTS_MS), ended]);
    await people.close();
    await files.close();
  };
  return { url: `http://${inAddress(isEveryAddress(host) ? '127.0.0.1' : host)}:${port}`, token, tokenGiven: given, ended, close };
}

/** Resolves once this server is the one that goes on with turns; `ended` is told to whoever waits for the end. */
async function beginWork(people: People): Promise<{ readonly ended: Promise<void> }> {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = people.work(() => begin());
  await Promise.race([begun, ended]);
  return { ended };
}
