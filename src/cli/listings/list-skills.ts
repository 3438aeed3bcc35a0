import os from 'node:os';
import type { SkillStatus } from '../../protocol/skill.ts';
import { listSummaries } from '../../skills/discover/discover-skills.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { skillsHere } from './skills-here.ts';

/** `skillmint skills list`. */
export async function listSkills(flags: { readonly json?: boolean }): Promise<void> {
  const { catalogue, tree } = await skillsHere();
  const skills = await listSummaries(catalogue, { tree, now: () => performance.now() });
  if (flags.json) return printJson({ skills });
  const paint = palette(process.stdout);
  const colour: Readonly<Record<SkillStatus, (text: string) => string>> = { loaded: paint.green, repaired: paint.yellow, shadowed: paint.dim, hidden: paint.dim, rejected: paint.red };
  for (const skill of skills) {
    await write(process.stdout, `${colour[skill.status](skill.status.padEnd(8))}  ${paint.bold(oneLine(skill.id))}  ${oneLine(skill.description).slice(0, 100)}\n`);
    if (skill.reason !== undefined) await write(process.stdout, paint.dim(`          ${oneLine(skill.reason)} (${skill.path.replace(os.homedir(), '~')})\n`));
  }
  if (skills.length === 0) await write(process.stderr, 'No skill was found. Put skill folders into .agents/skills of this folder or of your home folder.\n');
}
