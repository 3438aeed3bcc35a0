import { createModelFetch } from '../egress/model-fetch.ts';
import { createRuntime } from '../runtime/create-runtime.ts';
import { DATABASE_VARIABLE } from './options.ts';
import { oneLine } from './terminal.ts';
import type { RuntimeOptions } from '../runtime/parts.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Traces } from '../telemetry/open-traces.ts';
import { tracesTarget } from '../telemetry/traces-target.ts';
import { VERSION } from '../version.ts';

/** What the command line says about the runtime itself. */
export interface OpenOptions extends Pick<RuntimeOptions, 'onSkillIndexing' | 'trial'> {
  /** A person sits before the terminal and can be asked. */
  readonly terminal: boolean;
  readonly ephemeral?: boolean;
}

/** The database that the environment names, which `--database` sets, too; undefined for the file of the data folder. */
export function databaseUrl(): string | undefined {
  return process.env[DATABASE_VARIABLE] || undefined;
}

/** Opens the runtime for one command of the command line; what it does is traced where the environment asks for that. @throws SkillmintError config_invalid where that makes no sense */
export async function openRuntime(options: OpenOptions): Promise<Runtime> {
  const url = databaseUrl();
  const traced = tracesTarget(process.env) ? await openTraced(options.terminal) : undefined;
  const runtime = await createRuntime({
    terminal: options.terminal,
    ephemeral: options.ephemeral === true,
    ...(url === undefined ? {} : { database: { url } }),
    trial: options.trial,
    observe: traced?.observe,
    // A screen that is drawn has no place for it.
    ...(options.terminal ? {} : { log: (line: string) => void process.stderr.write(`skillmint: ${oneLine(line)}\n`) }),
    ...(options.onSkillIndexing ? { onSkillIndexing: options.onSkillIndexing } : {}),
  });
  if (!traced) return runtime;
  const close = async (): Promise<void> => {
    try {
      await runtime.close();
    } finally {
      await traced.close();
      traced.tell();
    }
  };
  return { ...runtime, close };
}

/** The code for spans is loaded where they are asked for. A screen that is drawn has no place for what goes wrong: it is told once the screen is gone. */
async function openTraced(terminal: boolean): Promise<Traces & { readonly tell: () => void }> {
  const { openTraces } = await import('../telemetry/open-traces.ts');
  const write = (message: string): void => void process.stderr.write(`skillmint: ${message}\n`);
  const later: string[] = [];
  const traces = openTraces({ env: process.env, version: VERSION, fetch: createModelFetch(process.env), onFault: terminal ? (message) => void later.push(message) : write });
  if (!traces) throw new Error('traces are asked for and not opened');
  return { ...traces, tell: () => later.splice(0).forEach(write) };
}
