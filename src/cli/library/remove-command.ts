import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { removeSkill } from '../../skills/library/remove.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { consent } from '../yes-or-no.ts';
import { changeableSkill, libraryAround } from '../../runtime/library/changeable-skill.ts';
import { asScope } from './library-here.ts';

/** What `skillmint skills remove` can be told. */
export interface RemoveFlags {
  readonly scope: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `skillmint skills remove`. */
export async function removeCommand(name: string, flags: RemoveFlags): Promise<void> {
  const { catalogue, home, data } = await skillsHere();
  const entry = changeableSkill(catalogue.entries, { name, done: 'removed', scope: asScope(flags.scope) }, { home, data });
  const ask = consent({ yes: flags.yes === true, what: 'removing a skill' });
  if (ask && !(await ask(`Remove ${oneLine(entry.id)} with all files in ${oneLine(entry.folder)}?`))) throw new SkillmintError('permission_denied', 'Nothing was removed.');
  await removeSkill(libraryAround(entry, data), path.basename(entry.folder));
  if (flags.json) await printJson({ removed: { id: entry.id, name: entry.name, folder: entry.folder } });
  else await write(process.stderr, `${oneLine(entry.id)} was removed (${oneLine(entry.folder)}).\n`);
}
