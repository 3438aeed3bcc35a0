import path from 'node:path';
import type { MadeSkill, SkillCreateRequest, SkillCreateResult } from '../../../runtime/skill-agent/skill-agent.ts';
import { createdLine } from '../../library/agent-create-command.ts';
import { asScope } from '../../library/library-here.ts';
import { folderOf, type Conversation } from '../conversation.ts';
import { trustInConversation } from '../trust-in-conversation.ts';
import { approval } from './approval.ts';
import { takeFlags } from './take-flags.ts';
import { ways } from './ways.ts';

/** `/skill create`: has the skill agent write a skill, shows it, and installs it after a yes. */
export async function createSkillCommand(conversation: Conversation, given: string): Promise<void> {
  const { flags: { scope, name, model }, rest: request } = takeFlags(given, ['scope', 'name', 'model']);
  await makeSkill(conversation, { request, ...(name === undefined ? {} : { name }), ...(model === undefined ? {} : { model }), ...(scope === undefined ? {} : { scope: asScope(scope) }) });
}

/** Has a skill made, within what the session may do. Undefined where the person did not want it. */
export async function makeSkill(conversation: Conversation, request: Pick<SkillCreateRequest, 'request' | 'name' | 'scope' | 'model'>): Promise<SkillCreateResult | undefined> {
  const { runtime, face, sessionId, turn: { deny, maxCostUsd } } = conversation;
  const { model, mode } = await ways(conversation);
  const cwd = await folderOf(conversation);
  const made = await approval(face, (approve) => face.work('making a skill', (work) => runtime.skillAgent.create({
    cwd, ...work, approve,
    ...(sessionId === undefined ? {} : { session: sessionId }), ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }),
    ...(deny === undefined ? {} : { deny }), ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...request,
  })));
  if (!made) return undefined;
  for (const warning of made.warnings) await face.notice(warning);
  await face.print(createdLine(made));
  if (made.outcome === 'made') await lookAtIt(conversation, made);
  return made;
}

async function lookAtIt(conversation: Conversation, { folder, trusted }: MadeSkill): Promise<void> {
  const { entries } = await conversation.runtime.skills(await folderOf(conversation));
  if (!entries.some((entry) => entry.folder === folder)) await conversation.face.notice(`It is not found from here: add ${path.dirname(folder)} to the setting skills.paths.`);
  else if (!trusted) await trustInConversation(conversation, folder);
}
