import { checkDescription } from '../../skills/library/create.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { describeSkill } from '../../runtime/library/describe-skill.ts';
import { changeableSkill } from '../../runtime/library/changeable-skill.ts';

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
  const { before, after } = await describeSkill({ tree, data }, entry, description);
  if (flags.json) await printJson({ id: entry.id, name: entry.name, path: entry.path, description, digest: after, digest_before: before });
  else await write(process.stderr, `${oneLine(entry.id)} has its new description (${oneLine(entry.path)}).\n`);
}
