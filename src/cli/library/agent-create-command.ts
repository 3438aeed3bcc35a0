import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillCreateResult } from '../../runtime/skill-agent/skill-agent.ts';
import { EXIT } from '../exit-codes.ts';
import { offerTrust } from '../listings/offer-trust.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import type { CreateFlags } from './create-flags.ts';
import { asScope } from './library-here.ts';
import { tellWarnings, withSkillAgent } from './with-skill-agent.ts';

/** `skillmint skills create --prompt`. */
export async function agentCreateCommand(name: string | undefined, { prompt: request, description, instructions, model, scope, json }: CreateFlags & { readonly prompt: string }): Promise<void> {
  if (description !== undefined || instructions !== undefined) throw new SkillmintError('usage', 'With --prompt the skill agent writes the skill: leave out --description and --instructions.');
  let made: SkillCreateResult | undefined;
  await withSkillAgent(model, async (agent, call) => {
    made = await agent.create({ ...call, request, ...(name === undefined ? {} : { name }), ...(scope === undefined ? {} : { scope: asScope(scope) }) });
    await tellWarnings(made.warnings);
    if (json) await printJson(made);
    else await write(process.stderr, createdLine(made));
    return made.outcome === 'made' ? EXIT.done : EXIT.refused;
  });
  if (made?.outcome === 'made' && !made.trusted && !json) await lookAtIt(made.folder);
}

/** What came of a wish for a skill, in a line. */
export function createdLine(made: SkillCreateResult): string {
  switch (made.outcome) {
    case 'made': return `${oneLine(made.id)} was made: ${oneLine(made.folder)}/SKILL.md${made.files.length > 1 ? ` and ${made.files.length - 1} more ${made.files.length === 2 ? 'file' : 'files'}` : ''}. ${oneLine(made.summary)}\n`;
    case 'declined': return `No skill was made: ${oneLine(made.reason)}${made.existing === undefined ? '' : ` See: skillmint skills show ${oneLine(made.existing)}`}\n`;
  }
}

/** It is asked after the agent has ended, so that nothing waits for the answer. */
async function lookAtIt(folder: string): Promise<void> {
  const here = await skillsHere();
  const entry = here.catalogue.entries.find((one) => one.folder === folder);
  if (entry) await offerTrust(here, [entry], { asks: true });
  else await write(process.stderr, `It is not found from here: add ${oneLine(folder.replace(/[/\\][^/\\]+$/, ''))} to the setting skills.paths.\n`);
}
