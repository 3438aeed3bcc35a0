import { textOf } from '../../protocol/content.ts';
import type { StoredEvent } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { canonicalToolName } from '../../protocol/tool-names.ts';
import type { SkillUse } from './record.ts';

/** One call of a tool. */
export interface TranscriptCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** Undefined where it has no end in the log. */
  readonly status: 'ok' | 'error' | 'denied' | 'interrupted' | undefined;
  readonly output: string;
}

/** What happened in a run, with all its sub-agents, in the order of the log. */
export interface Transcript {
  readonly items: readonly (TranscriptText | ({ readonly kind: 'call' } & TranscriptCall))[];
  readonly calls: readonly TranscriptCall[];
  /** The final answer. */
  readonly answer: string;
  /** Model calls. */
  readonly steps: number;
  readonly use: SkillUse;
  /** Commands in the instructions that ran when the skill was loaded. */
  readonly injected: readonly string[];
}

interface TranscriptText {
  readonly kind: 'person' | 'model' | 'sub-agent';
  readonly text: string;
}

/** Reads the log of a run. `skill`: whether an id is that of the skill that is measured, and names that a call may use for it. */
export function transcriptOf(events: readonly StoredEvent[], skill: { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> }): Transcript {
  const items: Transcript['items'][number][] = [];
  const ends = new Map(events.flatMap((event) => (event.type === 'tool.completed' ? [[`${event.session_id} ${event.call_id}`, event] as const] : [])));
  const use = { offered: false, selected: false, loaded: false, followed: false };
  const injected: string[] = [];
  let answer = '';
  let steps = 0;
  for (const event of events) {
    switch (event.type) {
      case 'turn.started': {
        items.push({ kind: event.is_sub_agent ? 'sub-agent' : 'person', text: textOf(event.input) });
        break;
      }
      case 'skill.offered': {
        use.offered ||= event.skills.some(({ id }) => skill.ids.has(id));
        break;
      }
      case 'skill.activated': {
        if (!skill.ids.has(event.skill_id)) break;
        use.selected = use.loaded = true;
        injected.push(...(event.commands ?? []).map(({ command }) => command));
        break;
      }
      case 'message.completed': {
        steps += 1;
        use.followed ||= use.loaded;
        const text = textOf(event.content);
        if (text.trim() !== '') items.push({ kind: 'model', text });
        break;
      }
      case 'tool.requested': {
        const end = ends.get(`${event.session_id} ${event.call_id}`);
        const tool = canonicalToolName(event.tool);
        items.push({ kind: 'call', tool, input: event.input, status: end?.status, output: end ? textOf(end.output) : '' });
        use.selected ||= tool === 'Skill' && Object.values(event.input).some((value) => typeof value === 'string' && skill.names.has(value.trim().replace(/^[/$]/, '')));
        break;
      }
      case 'turn.completed': {
        if (!event.is_sub_agent) answer = event.text;
        break;
      }
      default: break;
    }
  }
  return { items, calls: items.flatMap((item) => (item.kind === 'call' ? [item] : [])), answer, steps, use, injected };
}

/** Tools whose calls tell which skills are there. */
const TELLING = new Set(['Skill', 'FindTools']);
const MOST_OUTPUT = 4_000;

/** The transcript as text. `blind`: without what tells whether a skill was at hand; `hide` is replaced everywhere, such as folders of skills. */
export function transcriptText({ items }: Pick<Transcript, 'items'>, { blind, hide = [] }: { readonly blind: boolean; readonly hide?: readonly string[] }): string {
  const lines = items.flatMap((item): readonly string[] => {
    if (item.kind !== 'call') return [`[${item.kind}]`, item.text];
    if (blind && TELLING.has(item.tool)) return [];
    return [`[call of ${item.tool}: ${item.status ?? 'no end'}] ${JSON.stringify(item.input)}`, shortened(item.output)];
  });
  return hide.reduce((text, word) => (word === '' ? text : text.replaceAll(word, '<folder>')), lines.join('\n'));
}

function shortened(text: string): string {
  return text.length <= MOST_OUTPUT ? text : `${text.slice(0, MOST_OUTPUT / 2)}\n[… ${text.length - MOST_OUTPUT} characters left out …]\n${text.slice(-MOST_OUTPUT / 2)}`;
}
