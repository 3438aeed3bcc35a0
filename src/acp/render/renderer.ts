import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Todo } from '../../protocol/todo.ts';
import { transcriptOf } from '../../protocol/transcript/fold-transcript.ts';
import type { TranscriptItem } from '../../protocol/transcript/transcript.ts';
import { callCards } from './call-cards.ts';
import { conversationLog, type Event } from './conversation-log.ts';
import { lateWork } from './late-work.ts';
import { noteOf } from './note-text.ts';
import { personChunks } from './person-chunks.ts';
import { createSpeech } from './speech.ts';

/** Output of a running call is sent at most this often, ms. */
const LIVE_MS = 200;

/** What a renderer works with. */
export interface RendererParts {
  /** Folder of the session. */
  readonly cwd: string;
  /** The editor has a place of its own for short lines beside the conversation. */
  readonly notices: boolean;
  readonly send: (update: SessionUpdate) => Promise<void>;
}

/** Turns the events of a session into what an editor shows. */
export interface Renderer {
  /** Shows what follows from an event as it happens; one after the other. */
  show(event: Event): Promise<void>;
  /** Takes in events that were shown before, or that `replay` is to show. */
  remember(event: Event): void;
  /** Shows the whole conversation so far. */
  replay(): Promise<void>;
  /** Says something of the program itself. */
  say(text: string): Promise<void>;
  /** Id by which the editor knows the latest call with this id of the model. */
  callId(callId: string): string;
  /** Nothing that is still to come is sent. */
  close(): void;
}

/** Makes the renderer of one session. */
export function createRenderer({ cwd, notices, send }: RendererParts): Renderer {
  const log = conversationLog();
  const { fold } = log;
  const speech = createSpeech(send);
  const card = callCards({ cwd, send });
  const late = lateWork(LIVE_MS);
  let todos: readonly Todo[] = [];

  const remember = (event: Event): string | undefined => {
    if (event.type === 'todos.updated' && !event.is_sub_agent) todos = event.todos;
    return log.take(event);
  };
  const plan = (): Promise<void> => send({ sessionUpdate: 'plan', entries: todos.map(({ subject, status }) => ({ content: subject, status, priority: 'medium' })) });
  const showItem = async (item: TranscriptItem | undefined): Promise<void> => {
    switch (item?.kind) {
      case 'person':
        for (const content of personChunks(item)) await send({ sessionUpdate: 'user_message_chunk', messageId: item.key, content });
        return;
      case 'text':
      case 'reasoning': return speech.piece(item.kind, item.key, item.text);
      case 'call':
      case 'agent': return card(item);
      case 'note': {
        const note = noteOf(item.event);
        if (note && notices) await send({ sessionUpdate: 'notice', severity: note.severity, title: note.text });
        else if (note) await speech.say(`> ${note.text}\n\n`);
        return;
      }
      case undefined: return;
    }
  };
  const showKey = (key: string | undefined): Promise<void> => showItem(fold.items.get(key ?? ''));

  return {
    remember: (event) => void remember(event),
    say: speech.say,
    callId: (callId) => log.keyOfCall(callId) ?? callId,
    close: late.stop,
    async show(event) {
      const reply = fold.replies;
      const key = remember(event);
      if (event.is_sub_agent) return showKey(key);
      switch (event.type) {
        case 'text.delta': return speech.piece('text', [...fold.unfinished].at(-1) ?? '', event.text);
        case 'reasoning.delta': return speech.piece('reasoning', [...fold.unfinished].at(-1) ?? '', event.text);
        case 'message.completed': return speech.finish(fold.items, reply, event.content);
        case 'tool.delta': return late.soon(key ?? '', () => showKey(key));
        case 'todos.updated': return plan();
        // The editor has the prompt, and the answer to it says how the turn has ended.
        case 'turn.started': return;
        case 'turn.completed': return event.status === 'limit' ? showKey(`e${event.seq}`) : undefined;
        case 'model.retried': speech.restart(); return showKey(`e${event.seq}`);
        default:
          late.drop(key ?? '');
          await showKey(key);
          if (key !== `e${event.seq}`) await showKey(`e${event.seq}`);
      }
    },
    async replay() {
      for (const item of transcriptOf(fold).items) await showItem(item);
      speech.forget();
      if (todos.length > 0) await plan();
    },
  };
}
