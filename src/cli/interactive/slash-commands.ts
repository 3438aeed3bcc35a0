import { parseMode } from '../../permissions/mode.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { PERMISSION_MODES } from '../../protocol/permission.ts';
import { resolveSkill } from '../../skills/discover/resolve-skill.ts';
import { isUsable } from '../../skills/discover/skill-entry.ts';
import { cutStart } from '../../util/cut-text.ts';
import { oneLine, palette, write } from '../terminal.ts';
import { notice } from './console.ts';
import { choose, sessionLine, type Conversation } from './conversation.ts';

/** A command of the conversation. */
interface SlashCommand {
  readonly name: string;
  readonly help: string;
  run(conversation: Conversation, rest: string): Promise<'quit' | 'resumed' | void>;
}

const COMMANDS: readonly SlashCommand[] = [
  { name: 'help', help: 'these commands', run: () => showHelp() },
  { name: 'model', help: 'NAME: ask another model from now on', run: changeModel },
  { name: 'mode', help: `NAME: permission mode (${PERMISSION_MODES.join(', ')})`, run: changeMode },
  { name: 'skills', help: 'skills that can be used here', run: showSkills },
  { name: 'mcp', help: 'MCP servers of this folder and how they are doing', run: async () => (await import('../mcp/list-command.ts')).listServersCommand({ connect: true }) },
  { name: 'unload', help: 'SKILL: its instructions no longer hold; without SKILL lists those in force', run: unloadSkill },
  { name: 'trust', help: 'SKILL: show what it could do once it is trusted, and ask', run: trustSkill },
  { name: 'cost', help: 'tokens and cost of this session', run: showCost },
  { name: 'compact', help: 'replace the older part of the conversation by a summary', run: compact },
  { name: 'resume', help: 'ID: go on with another session; without ID lists them', run: resume },
  { name: 'clear', help: 'begin a new session', run: async (conversation) => { conversation.sessionId = undefined; await notice('a new session begins with your next message'); } },
  { name: 'quit', help: 'end', run: async () => 'quit' },
];

/** Runs a line that begins with a slash; `message` for one that calls a skill, which is sent like any other. */
export async function runSlashCommand(conversation: Conversation, line: string): Promise<'quit' | 'message' | 'resumed' | void> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? [];
  const command = COMMANDS.find((one) => one.name === name || (name === 'exit' && one.name === 'quit'));
  if (!command && (/^mcp__\S+__/.test(name) || (await isSkill(conversation, name)))) return 'message';
  if (!command) throw new SkillmintError('usage', `There is no command or skill /${name}. See /help and /skills.`);
  return command.run(conversation, rest.trim());
}

async function isSkill({ runtime, start }: Conversation, name: string): Promise<boolean> {
  const { entries } = await runtime.skills(start.cwd ?? process.cwd());
  return resolveSkill({ entries }, name).kind !== 'missing';
}

async function unloadSkill({ runtime, sessionId }: Conversation, rest: string): Promise<void> {
  if (sessionId === undefined) return notice('no session yet, so no skill is in force');
  if (rest !== '') await runtime.unloadSkill(sessionId, rest);
  const { skills } = await runtime.sessions.state(sessionId);
  await notice(`in force: ${[...skills.keys()].map(oneLine).join(', ') || 'none'}`);
}

async function trustSkill(conversation: Conversation, rest: string): Promise<void> {
  if (rest === '') throw new SkillmintError('usage', 'Name a skill, for example /trust release-notes. See /skills.');
  const { trustInConversation } = await import('./trust-in-conversation.ts');
  await trustInConversation(conversation, rest);
}

async function showHelp(): Promise<void> {
  const paint = palette(process.stdout);
  for (const { name, help } of COMMANDS) await write(process.stdout, `  ${paint.bold(`/${name}`.padEnd(9))} ${help}\n`);
}

async function changeModel(conversation: Conversation, rest: string): Promise<void> {
  if (rest === '') throw new SkillmintError('usage', 'Name a model, for example /model anthropic/claude-sonnet-5-5. See: skillmint models list');
  await choose(conversation, { model: rest });
  await notice(`model: ${rest}`);
}

async function changeMode(conversation: Conversation, rest: string): Promise<void> {
  const mode = parseMode(rest);
  if (!mode) throw new SkillmintError('usage', `There is no permission mode "${rest}". Use one of: ${PERMISSION_MODES.join(', ')}.`);
  await choose(conversation, { mode });
  await notice(`permission mode: ${mode}`);
}

async function showSkills({ runtime, start }: Conversation): Promise<void> {
  const { entries } = await runtime.skills(start.cwd ?? process.cwd());
  const usable = entries.filter(isUsable);
  for (const entry of usable.slice(0, 50)) await write(process.stdout, `  ${palette(process.stdout).bold(oneLine(entry.handle))}  ${cutStart(oneLine(entry.description), 90)}\n`);
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

/** The session keeps its own model and mode. */
async function resume(conversation: Conversation, rest: string): Promise<'resumed' | void> {
  const { runtime, start } = conversation;
  if (rest !== '') {
    const line = await sessionLine(conversation, rest);
    conversation.sessionId = rest;
    await notice(line);
    return 'resumed';
  }
  for (const session of await runtime.sessions.list({ limit: 15, ...(start.cwd === undefined ? {} : { cwd: start.cwd }) })) {
    await write(process.stdout, `  ${session.session_id}  ${session.status.padEnd(11)}  ${oneLine(session.title)}\n`);
  }
}
