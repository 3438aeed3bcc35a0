import { SkillmintError } from '../../../protocol/errors.ts';
import { isUsable } from '../../../skills/discover/skill-entry.ts';
import { cutStart } from '../../../util/cut-text.ts';
import { oneLine, palette } from '../../terminal.ts';
import { folderOf, type Conversation } from '../conversation.ts';
import type { SlashCommand } from './slash-command.ts';

const DESCRIPTION_CHARS = 90;
const MOST_LISTED = 50;
const MOST_FOUND = 10;

/** What `/skill` can do. */
interface SkillAction {
  readonly name: string;
  readonly help: string;
  /** It cannot do without a text. */
  readonly needs: boolean;
  run(conversation: Conversation, rest: string): Promise<void>;
}

const SKILL_ACTIONS: readonly SkillAction[] = [
  { name: 'search', help: 'TEXT', needs: true, run: searchSkills },
  { name: 'create', help: '[--scope user|project] TEXT', needs: true, run: async (conversation, rest) => (await import('./create-skill.ts')).createSkillCommand(conversation, rest) },
  { name: 'enhance', help: '[SKILL]', needs: false, run: async (conversation, rest) => (await import('./enhance-skill.ts')).enhanceSkillCommand(conversation, rest) },
  { name: 'evaluate', help: 'SKILL', needs: true, run: async (conversation, rest) => (await import('./evaluate-skill.ts')).evaluateSkillCommand(conversation, rest) },
];

/** Commands on skills. */
export const SKILL_COMMANDS: readonly SlashCommand[] = [
  { name: 'skill', help: `${SKILL_ACTIONS.map(({ name, help }) => `${name} ${help}`).join(' | ')}: find skills, have one written, learn from this conversation, measure one`, run: skillCommand },
  { name: 'skills', help: 'skills that can be used here', run: showSkills },
  { name: 'unload', help: 'SKILL: its instructions no longer hold; without SKILL lists those in force', run: unloadSkill },
  { name: 'trust', help: 'SKILL: show what it could do once it is trusted, and ask', run: trustSkill },
];

async function skillCommand(conversation: Conversation, given: string): Promise<void> {
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(given) ?? [];
  const action = SKILL_ACTIONS.find((one) => one.name === name);
  if (!action || (action.needs && rest === '')) throw new SkillmintError('usage', `Use ${SKILL_ACTIONS.map((one) => `/skill ${one.name} ${one.help}`).join(', ')}. A skill itself is called by its name: /NAME.`);
  await action.run(conversation, rest);
}

async function searchSkills(conversation: Conversation, text: string): Promise<void> {
  const { runtime, face } = conversation;
  const { skills, complete } = await (await runtime.library(await folderOf(conversation))).search(text, MOST_FOUND);
  await face.print(skills.map(({ id, description, score }) => `  ${score.toFixed(2)}  ${palette(process.stdout).bold(oneLine(id))}  ${shortened(description)}\n`).join(''));
  if (skills.length === 0) await face.notice('no skill fits');
  if (!complete) await face.notice('skills are still being read for the first time; ask again for more');
}

async function showSkills(conversation: Conversation): Promise<void> {
  const { runtime, face } = conversation;
  const { entries } = await runtime.skills(await folderOf(conversation));
  const usable = entries.filter(isUsable);
  await face.print(usable.slice(0, MOST_LISTED).map((entry) => `  ${palette(process.stdout).bold(oneLine(entry.handle))}  ${shortened(entry.description)}\n`).join(''));
  await face.notice(`${usable.length} of ${entries.length} can be used; see: skillmint skills list`);
}

async function unloadSkill({ runtime, face, sessionId }: Conversation, rest: string): Promise<void> {
  if (sessionId === undefined) return face.notice('no session yet, so no skill is in force');
  if (rest !== '') await runtime.unloadSkill(sessionId, rest);
  const { skills } = await runtime.sessions.state(sessionId);
  await face.notice(`in force: ${[...skills.keys()].map(oneLine).join(', ') || 'none'}`);
}

async function trustSkill(conversation: Conversation, rest: string): Promise<void> {
  if (rest === '') throw new SkillmintError('usage', 'Name a skill, for example /trust release-notes. See /skills.');
  const { trustInConversation } = await import('../trust-in-conversation.ts');
  await trustInConversation(conversation, rest);
}

function shortened(description: string): string {
  const text = oneLine(description);
  return text.length > DESCRIPTION_CHARS ? `${cutStart(text, DESCRIPTION_CHARS)}…` : text;
}
