import { SkillmintError } from '../../../protocol/errors.ts';
import { enhancementText } from '../../evaluate/enhancement-text.ts';
import { takeEnhancement } from '../../evaluate/take-enhancement.ts';
import { dollars, wholeNumber } from '../../options.ts';
import { folderOf, type Conversation } from '../conversation.ts';
import { makeSkill } from './create-skill.ts';
import { parsed, takeFlags, takeWord } from './take-flags.ts';
import { ways } from './ways.ts';

/** `/skill enhance`: learns from this conversation, or from one that is named; an edit is shown, and taken after a yes. */
export async function enhanceSkillCommand(conversation: Conversation, given: string): Promise<void> {
  const { runtime, face, sessionId, turn: { sandbox } } = conversation;
  const { word: skill, rest } = takeWord(given);
  const { flags, rest: more } = takeFlags(rest, ['conversation', 'model', 'judge', 'rounds', 'runs', 'budget']);
  if (more !== '') throw new SkillmintError('usage', `"${more}" is one word too many. Use /skill enhance SKILL --conversation SESSION|FILE; both may be left out.`);
  const learnedFrom = flags.conversation ?? sessionId;
  if (learnedFrom === undefined) throw new SkillmintError('usage', 'Nothing was said yet that could be learned from. Name another conversation: /skill enhance --conversation SESSION|FILE');
  const { mode, model } = { ...(await ways(conversation)), ...flags };
  const [rounds, runs, budgetUsd] = [parsed('rounds', flags.rounds, wholeNumber(1)), parsed('runs', flags.runs, wholeNumber(1)), parsed('budget', flags.budget, dollars)];
  const cwd = await folderOf(conversation);
  const enhancement = await face.work('learning from the conversation', (work) => runtime.enhanceSkill({
    cwd, ...work, conversation: learnedFrom,
    ...(skill === undefined ? {} : { skill }), ...(mode === undefined ? {} : { mode }), ...(model === undefined ? {} : { model }),
    ...(flags.judge === undefined ? {} : { judge: flags.judge }), ...(sandbox === undefined || sandbox === 'ask' ? {} : { sandbox }),
    ...(rounds === undefined ? {} : { rounds }), ...(runs === undefined ? {} : { runs }), ...(budgetUsd === undefined ? {} : { budgetUsd }),
  }));
  await face.print(enhancementText(enhancement));
  await takeEnhancement(runtime, enhancement, {
    yes: false, confirm: face.confirm, tell: face.print,
    create: async (request) => (await makeSkill(conversation, { request, ...(model === undefined ? {} : { model }) })) ?? {},
  });
}
