import type { Host } from './host.ts';
import { localClock } from './local-clock.ts';
import { localFiles } from './local-files.ts';
import { localCommands } from './local-process.ts';
import { localSearch } from './local-search.ts';
import { localTree } from './local-tree.ts';
import { platformOf } from './platform.ts';

/** This machine, without a sandbox. `env` is the environment of the process unless given. */
export function localHost(options: { readonly env?: Readonly<Record<string, string | undefined>> } = {}): Host {
  return {
    platform: platformOf(process.platform),
    files: localFiles(),
    tree: localTree(),
    search: localSearch(),
    clock: localClock(),
    env: options.env ?? process.env,
    start: localCommands(),
  };
}
