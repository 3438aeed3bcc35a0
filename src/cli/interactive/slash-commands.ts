import { parseMode } from '../../permissions/mode.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { PERMISSION_MODES } from '../../protocol/permission.ts';
import { isUsable } from '../../skills/discover/skill-entry.ts';
import { oneLine, palette, write } from '../terminal.ts';
import { notice } from './console.ts';
import type { Conversation } from './conversation.ts';

/** A command of the conversation. */
interface SlashCommand {
  readonly name: string;
  readonly help: string;
  run(conversation: Conversation, rest: string): Promise<'quit' | void>;
}

const COMMANDS: readonly SlashCommand[] = [
  { name: 'help', help: 'these commands', run: () => showHelp() },
  { name: 'model', help: 'NAME: ask another model from now on', run: changeModel },
  { name: 'mode', help: `NAME: permission mode (${PERMISSION_MODES.join(', ')})`, run: changeMode },
  { name: 'skills', help: 'skills that can be used here', run: showSkills },
  { name: 'cost', help: 'tokens and cost of this session', run: showCost },
  { name: 'compact', help: 'replace the older part of the conversation by a summary', run: compact },
  { name: 'resume', help: 'ID: go on with another session; without ID lists them', run: resume },
  { name: 'clear', help: 'begin a new session', run: async (conversation) => { conversation.sessionId = undefined; await notice('a new session begins with your next message'); } },
  { name: 'quit', help: 'end', run: async () => 'quit' },
];

/** Runs a line that begins with a slash. */
export async function runSlashCommand(conversation: Conversation, line: string): Promise<'quit' | void> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? [];
  const command = COMMANDS.find((one) => one.name === name || (name === 'exit' && one.name === 'quit'));
  if (!command) throw new SkillmintError('usage', `There is no command /${name}. See /help.`);
  return command.run(conversation, rest.trim());
}

async function showHelp(): Promise<void> {
  const paint = palette(process.stdout);
  for (const { name, help } of COMMANDS) await write(process.stdout, `  ${paint.bold(`/${name}`.padEnd(9))} ${help}\n`);
}

async function changeModel(conversation: Conversation, rest: string): Promise<void> {
  if (rest === '') throw new SkillmintError('usage', 'Name a model, for example /model anthropic/claude-sonnet-5-5. See: skillmint models list');
  if (conversation.sessionId !== undefined) await conversation.runtime.configure(conversation.sessionId, { model: rest });
  conversation.chosen = { ...conversation.chosen, model: rest };
  await notice(`model: ${rest}`);
}

async function changeMode(conversation: Conversation, rest: string): Promise<void> {
  const mode = parseMode(rest);
  if (!mode) throw new SkillmintError('usage', `There is no permission mode "${rest}". Use one of: ${PERMISSION_MODES.join(', ')}.`);
  if (conversation.sessionId !== undefined) await conversation.runtime.configure(conversation.sessionId, { mode });
  conversation.chosen = { ...conversation.chosen, mode };
  await notice(`permission mode: ${mode}`);
}

async function showSkills({ runtime, base }: Conversation): Promise<void> {
  const { entries } = await runtime.skills(base.cwd ?? process.cwd());
  const usable = entries.filter(isUsable);
  for (const entry of usable.slice(0, 50)) await write(process.stdout, `  ${palette(process.stdout).bold(oneLine(entry.handle))}  ${oneLine(entry.description).slice(0, 90)}\n`);
  await notice(`${usable.length} of ${entries.length} can be used; see: skillmint skills list`);
}

async function showCost(conversation: Conversation): Promise<void> {
  if (conversation.sessionId === undefined) return notice('nothing was asked yet');
  const { usage, cost_usd } = await conversation.runtime.sessions.state(conversation.sessionId);
  await notice(`${usage.input} tokens in, ${usage.cache_read} from cache, ${usage.cache_write} to cache, ${usage.output} out${cost_usd > 0 ? ` · $${cost_usd.toFixed(4)}` : ''}`);
}

async function compact(conversation: Conversation): Promise<void> {
  if (conversation.sessionId === undefined) return notice('nothing to compact yet');
  await notice('compacting…');
  const { before, after } = await conversation.runtime.compact(conversation.sessionId);
  await notice(`${before} → ${after} tokens`);
}

async function resume(conversation: Conversation, rest: string): Promise<void> {
  const { runtime, base } = conversation;
  if (rest !== '') {
    const { session_id, title } = await runtime.sessions.get(rest);
    conversation.sessionId = session_id;
    return notice(`going on with: ${oneLine(title)}`);
  }
  for (const session of await runtime.sessions.list({ limit: 15, ...(base.cwd === undefined ? {} : { cwd: base.cwd }) })) {
    await write(process.stdout, `  ${session.session_id}  ${session.status.padEnd(11)}  ${oneLine(session.title)}\n`);
  }
}
