import path from 'node:path';
import { localFiles } from '../../host/local-files.ts';
import { checkDescription } from '../../skills/library/create.ts';
import { editSkill } from '../../skills/library/edit-skill.ts';
import { carryTrust } from '../../skills/trust/edit-trust.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { changeableSkill, libraryAround } from './changeable-skill.ts';

/** What `skillmint skills edit` can be told. */
export interface EditFlags {
  readonly description: string;
  readonly json?: boolean;
}

/** `skillmint skills edit`. Whoever trusted the skill has made the difference, so that the trust stays. */
export async function editCommand(name: string, flags: EditFlags): Promise<void> {
  const description = flags.description.trim();
  checkDescription(description);
  const { catalogue, tree, home, data } = await skillsHere();
  const entry = changeableSkill(catalogue.entries, { name, done: 'changed' }, { home, data });
  const { before, after } = await editSkill({ tree, library: libraryAround(entry, data), name: path.basename(entry.folder), file: path.basename(entry.path), description });
  await carryTrust({ tree, files: localFiles(), dataFolder: data, now: Date.now }, { ...entry, file: entry.path }, { before, after });
  if (flags.json) await printJson({ id: entry.id, name: entry.name, path: entry.path, description, digest: after, digest_before: before });
  else await write(process.stderr, `${oneLine(entry.id)} has its new description (${oneLine(entry.path)}).\n`);
}
