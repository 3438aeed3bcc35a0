import type { Effort } from '../../../model/model.ts';
import { parseMode } from '../../../permissions/mode.ts';
import { SkillmintError } from '../../../protocol/errors.ts';
import { PERMISSION_MODES } from '../../../protocol/permission.ts';
import { oneLine } from '../../terminal.ts';
import { choose, folderOf, type Conversation } from '../conversation.ts';
import type { SlashCommand } from './slash-command.ts';

const EFFORTS: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Commands on the model and on what it may do. */
export const MODEL_COMMANDS: readonly SlashCommand[] = [
  { name: 'model', help: 'NAME: ask another model from now on; without NAME choose one', run: changeModel },
  { name: 'effort', help: `LEVEL: how hard the model thinks (${EFFORTS.join(', ')})`, run: changeEffort },
  { name: 'mode', help: `NAME: permission mode (${PERMISSION_MODES.join(', ')})`, run: changeMode },
  { name: 'permissions', help: 'the mode and the rules that hold here', run: showPermissions },
];

async function changeModel(conversation: Conversation, rest: string): Promise<void> {
  const model = rest === '' ? await pickModel(conversation) : rest;
  if (model === undefined) return;
  await choose(conversation, { model });
  await conversation.face.notice(`model: ${model}`);
}

async function pickModel(conversation: Conversation): Promise<string | undefined> {
  const models = await (await conversation.runtime.settings(await folderOf(conversation))).models();
  if (models.length === 0) throw new SkillmintError('usage', 'No model is known by name here. Name one, for example /model anthropic/claude-sonnet-5-5. See: skillmint models list');
  return conversation.face.pick('Model', models.filter(({ ready }) => ready).map(({ name }) => ({ value: name, label: oneLine(name) })));
}

async function changeEffort(conversation: Conversation, rest: string): Promise<void> {
  const { face, turn } = conversation;
  if (rest === '') return face.notice(`effort: ${turn.effort ?? 'as the model has it'}`);
  const effort = EFFORTS.find((one) => one === rest);
  if (!effort) throw new SkillmintError('usage', `There is no effort "${rest}". Use one of: ${EFFORTS.join(', ')}.`);
  conversation.turn = { ...turn, effort };
  await face.notice(`effort: ${effort}, from your next message on`);
}

async function changeMode(conversation: Conversation, rest: string): Promise<void> {
  const mode = parseMode(rest);
  if (!mode) throw new SkillmintError('usage', `There is no permission mode "${rest}". Use one of: ${PERMISSION_MODES.join(', ')}.`);
  await choose(conversation, { mode });
  await conversation.face.notice(`permission mode: ${mode}`);
}

async function showPermissions(conversation: Conversation): Promise<void> {
  const { runtime, face, sessionId, start } = conversation;
  const { settings, notices } = await (await runtime.settings(await folderOf(conversation))).list();
  const state = sessionId === undefined ? undefined : await runtime.sessions.state(sessionId);
  const rules = settings.filter(({ key }) => /^(?:permissions|permissionMode)\b/.test(key)).map(({ key, value, layer }) => `  ${key}: ${oneLine(JSON.stringify(value))}  (${layer})\n`);
  const always = (state?.always ?? []).map((rule) => `  always, from this session: ${oneLine(rule)}\n`);
  await face.print(`  mode: ${state?.permission_mode ?? start.mode ?? 'as the settings say'}\n${rules.join('')}${always.join('')}`);
  for (const line of notices) await face.notice(line);
}
