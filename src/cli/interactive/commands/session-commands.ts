import fs from 'node:fs';
import path from 'node:path';
import { SkillmintError } from '../../../protocol/errors.ts';
import { oneLine } from '../../terminal.ts';
import { contextWindow } from '../../../runtime/settings/context-window.ts';
import { folderOf, sessionLine, type Conversation } from '../conversation.ts';
import { timeAgo } from '../time-ago.ts';
import type { Next, SlashCommand } from './slash-command.ts';

const MOST_SESSIONS = 100;

/** Commands on the session. */
export const SESSION_COMMANDS: readonly SlashCommand[] = [
  { name: 'compact', help: 'replace the older part of the conversation by a summary', run: compact },
  { name: 'context', help: 'how full the context of the model is', run: showContext },
  { name: 'cost', help: 'tokens and cost of this session', run: showCost },
  { name: 'resume', help: 'ID: go on with another session; without ID choose one', run: resume },
  { name: 'rewind', help: 'NUMBER: set files and conversation back to before a message of yours; without NUMBER choose one', run: async (conversation, rest) => (await import('./rewind-command.ts')).rewindCommand(conversation, rest) },
  { name: 'fork', help: 'go on in a copy of this session', run: fork },
  { name: 'export', help: 'FILE: write the events of this session into a new file', run: exportSession },
  { name: 'clear', help: 'begin a new session', run: clear },
];

async function compact({ runtime, face, sessionId }: Conversation): Promise<void> {
  if (sessionId === undefined) return face.notice('nothing to compact yet');
  await face.notice('compacting…');
  const { before, after } = await runtime.compact(sessionId);
  await face.notice(`${before} → ${after} tokens`);
}

async function showContext(conversation: Conversation): Promise<void> {
  const { runtime, face, sessionId } = conversation;
  if (sessionId === undefined) return face.notice('nothing was asked yet');
  const { context, model, skills, messages } = await runtime.sessions.state(sessionId);
  const window = await contextWindow(runtime, await folderOf(conversation), model);
  const share = window === undefined ? '' : ` of ${window} (${Math.round((100 * context.tokens) / window)} %)`;
  await face.notice(`${context.tokens} tokens${share} · ${messages.length} messages · skills in force: ${[...skills.keys()].map(oneLine).join(', ') || 'none'}`);
}

async function showCost({ runtime, face, sessionId }: Conversation): Promise<void> {
  if (sessionId === undefined) return face.notice('nothing was asked yet');
  const { usage, cost_usd } = await runtime.sessions.state(sessionId);
  await face.notice(`${usage.input} tokens in, ${usage.cache_read} from cache, ${usage.cache_write} to cache, ${usage.output} out${cost_usd > 0 ? ` · $${cost_usd.toFixed(4)}` : ''}`);
}

/** The session keeps its own model and mode. */
async function resume(conversation: Conversation, rest: string): Promise<Next> {
  const id = rest === '' ? await pickSession(conversation) : rest;
  return id === undefined ? undefined : enter(conversation, id);
}

async function pickSession({ runtime, face, start }: Conversation): Promise<string | undefined> {
  const sessions = await runtime.sessions.list({ limit: MOST_SESSIONS, ...(start.cwd === undefined ? {} : { cwd: start.cwd }) });
  if (sessions.length === 0) {
    await face.notice('there is no session of this folder yet');
    return undefined;
  }
  return face.pick('Session', sessions.map(({ session_id, title, cwd, status, updated_at }) => ({ value: session_id, label: oneLine(title) || '(no message)', description: oneLine(`${status} · ${timeAgo(updated_at, Date.now())} · ${cwd}`) })));
}

async function enter(conversation: Conversation, id: string): Promise<'resumed'> {
  const line = await sessionLine(conversation, id);
  conversation.sessionId = id;
  await conversation.face.notice(line);
  return 'resumed';
}

async function fork(conversation: Conversation): Promise<Next> {
  const { runtime, face, sessionId } = conversation;
  if (sessionId === undefined) return face.notice('nothing to copy yet');
  return enter(conversation, await runtime.sessions.fork(sessionId));
}

async function exportSession(conversation: Conversation, rest: string): Promise<void> {
  const { runtime, face, sessionId } = conversation;
  if (sessionId === undefined) return face.notice('nothing to export yet');
  const file = path.resolve(await folderOf(conversation), rest === '' ? `${sessionId}.jsonl` : rest);
  let lines = 0;
  const handle = openNew(file);
  try {
    for await (const event of runtime.sessions.events(sessionId)) {
      fs.writeSync(handle, `${JSON.stringify(event)}\n`);
      lines += 1;
    }
  } finally {
    fs.closeSync(handle);
  }
  await face.notice(`${lines} events in ${file}`);
}

function openNew(file: string): number {
  try {
    return fs.openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new SkillmintError('usage', `${file} cannot be made (${String(error)}). Name another file: /export FILE`, { cause: error });
  }
}

async function clear(conversation: Conversation): Promise<void> {
  conversation.sessionId = undefined;
  await conversation.face.notice('a new session begins with your next message');
}
