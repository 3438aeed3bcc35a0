import { localTree } from '../../host/local-tree.ts';
import { skillFetcher } from '../../runtime/skills/skill-fetcher.ts';
import { parseSource } from '../../skills/library/parse-source.ts';
import type { RestoreOptions } from '../../skills/library/restore.ts';
import { interruptible } from '../interrupts.ts';
import type { OpeningFlags } from '../packs/open-for-person.ts';
import { asScope, libraryHere } from './library-here.ts';
import { startProgress } from './progress.ts';

/** What work with sources of skills is given. */
export interface LibraryWork extends Pick<RestoreOptions, 'tree' | 'library' | 'fetch' | 'parse' | 'progress'> {
  readonly signal: AbortSignal;
  /** The data folder. */
  readonly data: string;
  /** No line of progress comes any more: somebody is asked. */
  readonly quiet: () => void;
}

/** What the flags of such a command say. */
export interface WorkFlags extends OpeningFlags {
  readonly scope: string;
  readonly dryRun?: boolean;
}

/** Runs a command that gets skills from their sources, with progress and interruption; its result is the exit code. */
export async function workOnLibrary(flags: WorkFlags, work: (parts: LibraryWork) => Promise<number>): Promise<void> {
  const { library, loaded, cwd, data } = await libraryHere(asScope(flags.scope));
  const { say, end } = startProgress();
  try {
    process.exitCode = await interruptible((signal) => {
      const fetch = skillFetcher({
        allow: loaded.values.network.allow,
        env: process.env,
        openPack: async (file, to) => (await import('../packs/open-for-person.ts')).openForPerson(file, flags, { to, data }),
        fetchOffered: async (source, temporary) => (await import('../mcp/fetch-offered.ts')).fetchOfferedHere(source, temporary, signal),
        progress: say,
        signal,
      });
      return work({ tree: localTree(), library, fetch, parse: (text) => parseSource(text, cwd), progress: say, signal, data, quiet: end });
    });
  } finally {
    end();
  }
}
