import { localTree } from '../../host/local-tree.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { skillFetcher } from '../../runtime/skill-fetcher.ts';
import { parseSource } from '../../skills/library/parse-source.ts';
import { restoreSkills } from '../../skills/library/restore.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import type { InstallFlags } from './install-flags.ts';
import { asScope, libraryHere } from './library-here.ts';
import { startProgress } from './progress.ts';

/** `skillmint skills install --frozen`. */
export async function restoreCommand(source: string | undefined, flags: InstallFlags): Promise<void> {
  if (source !== undefined) throw new SkillmintError('usage', '--frozen installs what the lock file says: leave out the source, or leave out --frozen.');
  const { library, loaded, cwd } = await libraryHere(asScope(flags.scope));
  const progress = startProgress();
  try {
    process.exitCode = await interruptible(async (signal) => {
      const result = await restoreSkills({
        tree: localTree(),
        library,
        parse: (text) => parseSource(text, cwd),
        fetch: skillFetcher({ allow: loaded.values.network.allow, env: process.env, progress: progress.say, signal }),
        names: flags.skill,
        replace: flags.replace === true,
        dryRun: flags.dryRun === true,
        progress: progress.say,
        signal,
      });
      const { restored, kept, scope } = result;
      if (flags.json) await printJson({ restored, kept, scope, dry_run: flags.dryRun === true });
      else {
        const done = flags.dryRun ? 'would be installed' : 'installed';
        await write(process.stderr, `${restored.length === 0 ? 'Nothing had to be done' : `${done} as locked: ${restored.map(oneLine).join(', ')}`}; ${kept.length} ${kept.length === 1 ? 'was' : 'were'} as locked already.\n`);
      }
      return EXIT.done;
    });
  } finally {
    progress.end();
  }
}
