import fs from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { localTree } from '../../host/local-tree.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { createSkill, type NewSkill } from '../../skills/library/create.ts';
import type { SkillLibrary } from '../../skills/library/library-folder.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { offerTrust } from '../listings/offer-trust.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { commandSettings } from '../load-settings.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { creationLibrary } from '../../runtime/library/creation-library.ts';
import type { CreateFlags } from './create-flags.ts';
import { asScope } from './library-here.ts';
import { trustCreated } from '../../runtime/library/trust-created.ts';

/** `skillmint skills create`. */
export async function createCommand(name: string | undefined, flags: CreateFlags): Promise<void> {
  if (flags.prompt !== undefined) return (await import('./agent-create-command.ts')).agentCreateCommand(name, { ...flags, prompt: flags.prompt });
  if (flags.model !== undefined) throw new SkillmintError('usage', '--model goes with --prompt.');
  const library = await placeFor(flags.scope);
  process.exitCode = await interruptible(async () => {
    const made = await createSkill(localTree(), library, await newSkill(name, flags));
    const here = await skillsHere();
    const entry = here.catalogue.entries.find(({ folder }) => folder === made.folder);
    const trusted = await trustCreated(here, made, library.scope);
    const note = entry ? '' : ` It is not found from here: add ${oneLine(library.folder)} to the setting skills.paths.`;
    if (flags.json) await printJson({ ...made, found: entry !== undefined, trusted });
    else await write(process.stderr, `${oneLine(made.id)} was made: ${oneLine(made.folder)}/SKILL.md.${note}\n`);
    if (!flags.json && !trusted && entry) await offerTrust(here, [entry], { asks: true });
    return EXIT.done;
  });
}

async function placeFor(scope: string | undefined): Promise<SkillLibrary> {
  const { data, loaded } = await commandSettings();
  const cwd = process.cwd();
  return creationLibrary(scope === undefined ? undefined : asScope(scope), { settings: loaded.values, cwd, data });
}

async function newSkill(name: string | undefined, { description, instructions }: CreateFlags): Promise<NewSkill> {
  if (name === undefined) throw new SkillmintError('usage', 'Give the skill a name: skillmint skills create my-skill --description "…", or have it written: --prompt "…".');
  if (description === undefined) throw new SkillmintError('usage', 'Say with --description what the skill does and when to use it.');
  return { name, description: description.trim(), ...(instructions === undefined ? {} : { instructions: await readInstructions(instructions) }) };
}

async function readInstructions(from: string): Promise<string> {
  try {
    return (from === '-' ? await buffer(process.stdin) : await fs.readFile(from)).toString('utf8');
  } catch (error) {
    throw new SkillmintError('invalid_argument', `--instructions ${from} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
