import type { SkillStatus, SkillSummary } from '../../protocol/skill.ts';
import { listSummaries } from '../../skills/discover/discover-skills.ts';
import { EXIT } from '../exit-codes.ts';
import { mayBeTerminal, printNow } from '../print-now.ts';
import { endWithReader, jsonFor, oneLine, palette, reportError, write } from '../terminal.ts';
import { skillsHere } from './skills-here.ts';

/** What `skillmint skills list` can be told. */
export interface ListFlags {
  readonly json?: boolean;
}

/** `skillmint skills list`. */
export async function listSkills(flags: ListFlags): Promise<void> {
  const { catalogue, tree, home } = await skillsHere({ digests: true });
  const skills = await listSummaries(catalogue, { tree, now: Date.now });
  const reader = mayBeTerminal() ? process.stdout : { isTTY: false };
  await printNow(flags.json ? `${jsonFor(reader, { skills }, 2)}\n` : tableOf(skills, { home, paint: palette(reader) }));
  if (skills.length === 0 && !flags.json) await write(process.stderr, 'No skill was found. Put skill folders into .agents/skills of this folder or of your home folder.\n');
}

/** The same as a whole program: ends the process with its exit code. */
export async function listSkillsAndExit(flags: ListFlags): Promise<void> {
  try {
    await listSkills(flags);
  } catch (error) {
    endWithReader(process.stderr);
    process.exit(await reportError(error));
  }
  process.exit(EXIT.done);
}

function tableOf(skills: readonly SkillSummary[], { home, paint }: { readonly home: string; readonly paint: ReturnType<typeof palette> }): string {
  const colour: Readonly<Record<SkillStatus, (text: string) => string>> = { loaded: paint.green, repaired: paint.yellow, shadowed: paint.dim, hidden: paint.dim, rejected: paint.red };
  const lines = skills.flatMap((skill) => [
    `${colour[skill.status](skill.status.padEnd(8))}  ${paint.bold(oneLine(skill.id))}${skill.type === undefined ? '' : paint.dim(` (${skill.type})`)}  ${oneLine(skill.description).slice(0, 100)}\n`,
    ...(skill.reason === undefined ? [] : [paint.dim(`          ${oneLine(skill.reason)} (${skill.path.replace(home, '~')})\n`)]),
  ]);
  return lines.join('');
}
