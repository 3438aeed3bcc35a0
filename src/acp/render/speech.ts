import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { AssistantPart } from '../../protocol/content.ts';
import type { SpokenItem, TranscriptItem } from '../../protocol/transcript/transcript.ts';

/** What the model and the program say, piece by piece. */
export interface Speech {
  /** A piece of the text with this key. */
  piece(kind: SpokenItem['kind'], key: string, text: string): Promise<void>;
  /** The reply is whole: says what was not said piece by piece before. */
  finish(items: ReadonlyMap<string, TranscriptItem>, reply: number, content: readonly AssistantPart[]): Promise<void>;
  /** The model begins its reply again. */
  restart(): void;
  /** What was said so far was said before. */
  forget(): void;
  /** Says something of the program itself. */
  say(text: string): Promise<void>;
}

/** Says texts to an editor. */
export function createSpeech(send: (update: SessionUpdate) => Promise<void>): Speech {
  const spoken = new Set<string>();
  let restarts = 0;
  let said = 0;
  const piece: Speech['piece'] = async (kind, key, text) => {
    spoken.add(key);
    await send({ sessionUpdate: kind === 'reasoning' ? 'agent_thought_chunk' : 'agent_message_chunk', messageId: restarts === 0 ? key : `${key}~${restarts}`, content: { type: 'text', text } });
  };
  return {
    piece,
    async finish(items, reply, content) {
      for (const place of content.keys()) {
        for (const kind of ['reasoning', 'text'] as const) {
          const item = items.get(`r${reply}.${place}.${kind}`);
          if (item?.kind === kind && !spoken.has(item.key)) await piece(kind, item.key, item.text);
        }
      }
      spoken.clear();
      restarts = 0;
    },
    restart() {
      spoken.clear();
      restarts += 1;
    },
    forget: () => spoken.clear(),
    async say(text) {
      said += 1;
      await send({ sessionUpdate: 'agent_message_chunk', messageId: `said${said}`, content: { type: 'text', text } });
    },
  };
}
