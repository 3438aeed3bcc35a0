import { SkillmintError } from '../../protocol/errors.ts';
import { restoreSkills } from '../../skills/library/restore.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import type { InstallFlags } from './install-flags.ts';
import { workOnLibrary } from './library-work.ts';

/** `skillmint skills install --frozen`. */
export async function restoreCommand(source: string | undefined, flags: InstallFlags): Promise<void> {
  if (source !== undefined || flags.plugin !== undefined) throw new SkillmintError('usage', `--frozen installs what the lock file says: leave out ${source === undefined ? '--plugin' : 'the source'}, or leave out --frozen.`);
  await workOnLibrary(flags, async (parts) => {
    const { restored, kept, scope } = await restoreSkills({ ...parts, names: flags.skill, replace: flags.replace === true, dryRun: flags.dryRun === true });
    if (flags.json) await printJson({ restored, kept, scope, dry_run: flags.dryRun === true });
    else {
      const done = flags.dryRun ? 'would be installed' : 'installed';
      await write(process.stderr, `${restored.length === 0 ? 'Nothing had to be done' : `${done} as locked: ${restored.map(oneLine).join(', ')}`}; ${kept.length} ${kept.length === 1 ? 'was' : 'were'} as locked already.\n`);
    }
    return EXIT.done;
  });
}
