import { dataFolder } from '../../config/paths.ts';
import { homeFolder } from '../../host/home-folder.ts';
import type { Host } from '../../host/host.ts';
import { platformOf } from '../../host/platform.ts';
import { sandboxPolicy } from '../../sandbox/policy.ts';
import { probeSandbox, type SandboxReport } from '../../sandbox/probe.ts';

/** Where the sandbox is tried out. */
export interface TrialPlaces {
  readonly platform: Host['platform'];
  readonly home: string;
  readonly dataFolder: string;
  /** See `ProbeOptions.candidates`. */
  readonly candidates?: readonly string[];
}

/** Tries out what the sandbox of this machine is worth. */
export function trySandbox({ platform, home, dataFolder: data, candidates }: TrialPlaces): Promise<SandboxReport> {
  const policy = sandboxPolicy({ roots: [], home, dataFolder: data, toolchains: [], credentials: [] });
  return probeSandbox({ policy, platform, ...(candidates ? { candidates } : {}) });
}

/**
 * Does work that will want the sandbox, and tries it out beside the loading of that work: the trial takes as long as the
 * loading. It is over when this is, whatever came of the work. Not tried where the flags say that no command will run in it.
 */
export async function withEarlyTrial<T>(flags: { readonly tools?: boolean; readonly sandbox?: string }, work: (trial: Promise<SandboxReport> | undefined) => Promise<T>): Promise<T> {
  if (flags.tools === false || flags.sandbox === 'off') return work(undefined);
  const { env, platform } = process;
  const home = homeFolder(env);
  const trial = trySandbox({ platform: platformOf(platform), home, dataFolder: dataFolder(env, home) });
  // Its listener opens, and its command starts, with the next turn of the event loop; loading would keep that waiting.
  await new Promise(setImmediate);
  const [done, tried] = await Promise.allSettled([work(trial), trial]);
  if (done.status === 'rejected') throw done.reason;
  if (tried.status === 'rejected') throw tried.reason;
  return done.value;
}
