import { digestSkill } from '../../skills/digest.ts';
import { openTrust } from '../../skills/trust/trust-store.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { revokeNow } from '../../runtime/library/revoke-now.ts';
import { namedSkill, type NamedSkill } from '../../runtime/library/named-skill.ts';
import type { SkillsHere } from './skills-here.ts';

interface Json {
  readonly json?: boolean;
}

/** `skillmint skills trust --list`: of those that are named, or of all. */
export async function listTrust({ catalogue, tree, data, cwd }: SkillsHere, names: readonly string[], { json }: Json): Promise<void> {
  const trust = openTrust({ tree, dataFolder: data });
  const asked = names.length > 0 ? names.map((name) => namedSkill(catalogue, name)) : catalogue.entries.filter(({ status }) => status !== 'shadowed');
  const rows = asked.map((entry) => {
    const { digest } = digestSkill(tree, entry.folder);
    return { id: entry.id, name: entry.name, source: entry.source, folder: entry.folder, digest, ...trust.of(entry, digest, [cwd]) };
  });
  if (json) return printJson({ skills: rows });
  const paint = palette(process.stdout);
  for (const { id, trusted, why } of rows) await write(process.stdout, `${trusted ? paint.green('trusted    ') : paint.yellow('not trusted')}  ${paint.bold(oneLine(id))}  ${paint.dim(why)}\n`);
}

/** `skillmint skills trust --revoke`. */
export async function revokeSkills(here: SkillsHere, skills: readonly NamedSkill[], { json }: Json): Promise<void> {
  const done: { readonly id: string; readonly revoked: boolean }[] = [];
  for (const skill of skills) done.push({ id: skill.id, revoked: await revokeNow(here, skill) });
  if (json) return printJson({ skills: done });
  for (const { id, revoked } of done) await write(process.stderr, `${oneLine(id)} ${revoked ? 'is no longer trusted' : 'was not trusted'}.\n`);
}
