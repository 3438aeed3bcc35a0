import { SkillmintError } from '../../protocol/errors.ts';
import { openOutside } from '../../host/open-outside.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import { ONE_PERSON, type SharedDatabase } from '../../runtime/database/backend.ts';
import type { TurnPlace } from '../../runtime/parts.ts';
import { createModelFetch } from '../../egress/model-fetch.ts';
import { openServerTelemetry } from '../../telemetry/server-telemetry.ts';
import { VERSION } from '../../version.ts';
import { serve, type RunningServer } from '../../server/serve.ts';
import type { ServeOptions } from '../../server/serve-options.ts';
import { slots } from '../../util/slots.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible, whenStopped } from '../interrupts.ts';
import { databaseUrl } from '../open-runtime.ts';
import { commandSettings } from '../load-settings.ts';
import { oneLine, printJson, reportError, write } from '../terminal.ts';
import { usersOfFlags, type UserFlags } from './users-of-flags.ts';

const USUAL_PORT = 8765;
const MOST_PORT = 65_535;

/** What `skillmint serve` can be told. */
export interface ServeFlags extends UserFlags {
  readonly host: string;
  readonly port?: number;
  readonly tokenFile?: string;
  readonly allowHost?: readonly string[];
  readonly workers: number;
  readonly json?: boolean;
  readonly open?: boolean;
}

/** `skillmint serve`. */
export function serveCommand(flags: ServeFlags): Promise<void> {
  return runServer(flags, 'everything');
}

/** `skillmint sidecar`. */
export function sidecarCommand(flags: ServeFlags): Promise<void> {
  return runServer(flags, 'sidecar');
}

async function runServer(flags: ServeFlags, offers: ServeOptions['offers']): Promise<void> {
  const settings = await commandSettings();
  const { loaded, data } = settings;
  const { roots } = loaded.values.serve;
  const users = usersOfFlags(flags, settings);
  process.exitCode = await interruptible(async (stop) => {
    const places = slots();
    const telemetry = openServerTelemetry({ env: process.env, version: VERSION, fetch: createModelFetch(process.env), onFault: log });
    const { observe } = telemetry;
    const turnPlace: TurnPlace = telemetry.places((signal) => places.take(flags.workers, signal));
    const database = offers === 'everything' ? await openDatabase() : undefined;
    const own = users ? undefined : await createRuntime({ service: offers === 'everything', ephemeral: offers === 'sidecar', turnPlace, observe, log, ...(database ? { database: { shared: database, tenant: ONE_PERSON } } : {}) });
    const runtime = users ? { ...users, database, runtime: { turnPlace, observe } } : own;
    if (!runtime) throw new Error('nobody is served');
    try {
      const server = await serve({
        runtime, offers,
        dataFolder: data,
        env: process.env,
        host: flags.host,
        port: portOf(flags),
        ...(flags.tokenFile === undefined ? {} : { tokenFile: flags.tokenFile }),
        allowHosts: flags.allowHost ?? [],
        roots: roots.length > 0 ? roots : [process.cwd()],
        workers: flags.workers,
        telemetry,
        log,
      });
      await tell(server, flags, offers);
      const stopped = new Promise<void>((resolve) => whenStopped(stop, resolve));
      await Promise.race([stopped, server.ended]);
      await server.close();
      return EXIT.done;
    } finally {
      await own?.close();
      await database?.close();
      await telemetry.close();
    }
  });
}

function log(line: string): void {
  process.stderr.write(`skillmint: ${line}\n`);
}

/** One for all that the server does. */
async function openDatabase(): Promise<SharedDatabase | undefined> {
  const url = databaseUrl();
  if (url === undefined) return undefined;
  const { openSharedDatabase } = await import('../../runtime/database/shared-database.ts');
  return openSharedDatabase(url);
}

function portOf({ port = Number(process.env['PORT'] ?? USUAL_PORT) }: ServeFlags): number {
  if (!Number.isInteger(port) || port < 0 || port > MOST_PORT) throw new SkillmintError('usage', `There is no port ${port}. Give one from 1 to ${MOST_PORT}, or 0 for a free one.`);
  return port;
}

async function tell({ url, token, tokenGiven }: RunningServer, { json, open, users, userHeader }: ServeFlags, offers: ServeOptions['offers']): Promise<void> {
  if (users || userHeader !== undefined) return tellUsers(url, { json, open });
  const link = `${url}/login${tokenGiven ? '' : `#token=${encodeURIComponent(token)}`}`;
  if (json) return printJson({ url, ...(tokenGiven ? {} : { token }) });
  await write(process.stdout, `skillmint listens on ${oneLine(url)}\n`);
  if (offers === 'everything') await write(process.stdout, `Open in a browser: ${oneLine(link)}\n`);
  if (open) await openOrTell(link);
  if (!tokenGiven) await write(process.stdout, `Programs send the token: Authorization: Bearer ${token}\n`);
}

/** Whoever has no browser here can open the link elsewhere. */
async function openOrTell(link: string): Promise<void> {
  try {
    await openOutside(link);
  } catch (error) {
    await reportError(error);
  }
}

/** Nobody's token is printed: each user has what they log in with. */
async function tellUsers(url: string, { json, open }: { readonly json: boolean | undefined; readonly open: boolean | undefined }): Promise<void> {
  if (json) return printJson({ url });
  await write(process.stdout, `skillmint listens on ${oneLine(url)}\nOpen in a browser: ${oneLine(url)}/login\n`);
  if (open) await openOrTell(`${url}/login`);
}
