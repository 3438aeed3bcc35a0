import fs from 'node:fs/promises';
import path from 'node:path';
import { textOf } from '../../protocol/content.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { StoredEvent } from '../../protocol/events.ts';
import { isJsonObject, parseJson } from '../../protocol/json.ts';

const MOST_BYTES = 50 * 1024 * 1024;
/** Of one entry. */
const ENTRY_CHARS = 2_000;
/** Of the whole trace: its beginning and its end stay. */
const HEAD_CHARS = 30_000;
const TAIL_CHARS = 90_000;

/** Something that was said or done in a conversation. */
export interface TraceEntry {
  /** Number of the event. */
  readonly seq: number;
  readonly who: string;
  readonly text: string;
}

/** A conversation as a bounded list. */
export interface Trace {
  /** Session id or file. */
  readonly of: string;
  readonly entries: readonly TraceEntry[];
  /** Entries in the middle that were too much. */
  readonly left_out: number;
}

/** Reads a conversation: a session by its id, or a file that `sessions export` has written. Rejects with `session_not_found`, `not_found` and `invalid_argument`. */
export async function readConversation(read: (sessionId: string) => AsyncIterable<StoredEvent>, { conversation, cwd }: { readonly conversation: string; readonly cwd: string }): Promise<Trace> {
  const isSession = /^ses_[0-9a-z]+$/i.test(conversation);
  const entries: TraceEntry[] = [];
  if (isSession) for await (const event of read(conversation)) entries.push(...entriesOf(event));
  else entries.push(...(await entriesInFile(path.resolve(cwd, conversation))));
  if (!entries.some(({ who }) => who === 'person')) throw new SkillmintError('invalid_argument', `In ${conversation} nobody has said anything: name a session in which a person worked.`);
  return { of: conversation, ...bounded(entries) };
}

/** Keeps a trace in a folder: a session may grow, and a file may go. */
export async function keepTrace(folder: string, trace: Trace): Promise<void> {
  await fs.writeFile(path.join(folder, 'conversation.json'), JSON.stringify(trace), { mode: 0o600, flush: true });
}

/** Reads the trace that was kept. Rejects with `io`. */
export async function keptTrace(folder: string): Promise<Trace> {
  const file = path.join(folder, 'conversation.json');
  const kept: unknown = parseJson(await fs.readFile(file, 'utf8'));
  if (!isTrace(kept)) throw new SkillmintError('io', `${file} was not written by this version: enhance the skill again.`);
  return kept;
}

function isTrace(value: unknown): value is Trace {
  return isJsonObject(value) && typeof value['of'] === 'string' && Array.isArray(value['entries']) && typeof value['left_out'] === 'number';
}

/** The trace as the agent reads it: one block for each entry, with the number of its event. */
export function traceText({ entries, left_out }: Trace): string {
  const blocks = entries.map(({ seq, who, text }) => `[${seq}] ${who}: ${text}`);
  return `${blocks.join('\n\n')}\n${left_out > 0 ? `\n(${left_out} entries in the middle were left out.)\n` : ''}`;
}

/** True where the words stand in the entry with that number; white space does not count. */
export function isQuoted({ entries }: Trace, { seq, text }: { readonly seq: number; readonly text: string }): boolean {
  const plain = (words: string): string => words.replace(/\s+/g, ' ').trim();
  return plain(text) !== '' && entries.some((entry) => entry.seq === seq && plain(entry.text).includes(plain(text)));
}

async function entriesInFile(file: string): Promise<readonly TraceEntry[]> {
  const help = 'Export one: skillmint sessions export SESSION > session.jsonl';
  let text: string;
  try {
    const { size } = await fs.stat(file);
    if (size > MOST_BYTES) throw new SkillmintError('invalid_argument', `${file} has ${size} bytes; a conversation may have ${MOST_BYTES}.`);
    text = await fs.readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    throw new SkillmintError('not_found', `There is neither a session nor a file ${file}: ${messageOf(error)}. See: skillmint sessions list`, { cause: error });
  }
  const entries: TraceEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const event: unknown = parseJson(line);
    if (!isEvent(event)) throw new SkillmintError('invalid_argument', `${file} is no conversation: line ${index + 1} is no event of a session. ${help}`);
    try {
      entries.push(...entriesOf(event));
    } catch (error) {
      throw new SkillmintError('invalid_argument', `${file} is no conversation: the event in line ${index + 1} is not complete. ${help}`, { cause: error });
    }
  }
  if (entries.length === 0) throw new SkillmintError('invalid_argument', `${file} is no conversation: nothing is said in it. ${help}`);
  return entries;
}

function isEvent(value: unknown): value is StoredEvent {
  return isJsonObject(value) && typeof value['type'] === 'string' && typeof value['seq'] === 'number';
}

function entriesOf(event: StoredEvent): readonly TraceEntry[] {
  const entry = (who: string, text: string): readonly TraceEntry[] => (text.trim() === '' ? [] : [{ seq: event.seq, who, text: cut(text.trim()) }]);
  switch (event.type) {
    case 'turn.started': return entry('person', textOf(event.input));
    case 'message.added': return entry(event.by === undefined ? 'person' : 'program', event.text);
    case 'message.completed': return entry('assistant', event.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'));
    case 'skill.offered': return entry('skills offered', event.skills.map(({ id }) => id).join(', '));
    case 'skill.activated': return entry('skill loaded', `${event.skill_id} (${event.trigger})`);
    case 'tool.requested': return entry(`call of ${event.tool}`, JSON.stringify(event.input));
    case 'tool.completed': return entry(`result, ${event.status}`, textOf(event.output));
    case 'question.asked': return entry('question', event.question);
    case 'question.answered': return entry('person', event.answer);
    case 'permission.resolved': return entry('person', `${event.decision}${event.reason === undefined ? '' : `: ${event.reason}`}`);
    case 'agent.completed': return entry('sub-agent', event.result);
    case 'turn.completed': return event.status === 'done' ? [] : entry('turn ended', `${event.status}${event.error ? `: ${event.error.message}` : ''}`);
    default: return [];
  }
}

function cut(text: string): string {
  return text.length <= ENTRY_CHARS ? text : `${text.slice(0, ENTRY_CHARS)} … (${text.length - ENTRY_CHARS} more characters)`;
}

function bounded(entries: readonly TraceEntry[]): Pick<Trace, 'entries' | 'left_out'> {
  const head = within(entries, HEAD_CHARS);
  const tail = within(entries.slice(head).reverse(), TAIL_CHARS);
  const kept = [...entries.slice(0, head), ...entries.slice(entries.length - tail)];
  return { entries: kept, left_out: entries.length - kept.length };
}

/** How many entries from the beginning fit. */
function within(entries: readonly TraceEntry[], most: number): number {
  let chars = 0;
  const over = entries.findIndex(({ text }) => (chars += text.length) > most);
  return over < 0 ? entries.length : over;
}
