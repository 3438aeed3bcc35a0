import type { ContentBlock, PromptResponse, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import { SkillmintError } from '../protocol/errors.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { TurnResult } from '../runtime/runtime.ts';
import { commandIn } from './commands.ts';
import { conversationOf } from './conversation.ts';
import { sendUpdate, type Editor } from './editor.ts';
import { serverApprovals } from './offered-servers.ts';
import { promptParts } from './prompt-parts.ts';
import { createRenderer } from './render/renderer.ts';
import { sessionChoices, type SessionChoices } from './session-choices.ts';
import { sessionNews } from './session-news.ts';

/** A session as an editor has it open. */
export interface EditorSession extends Pick<SessionChoices, 'options' | 'setMode' | 'setOption'> {
  /** Runs a prompt to its end; further ones wait. `taken` aborts when the editor takes the request back. @throws SkillmintError as a turn that cannot begin, and what it failed with */
  prompt(blocks: readonly ContentBlock[], taken: AbortSignal): Promise<PromptResponse>;
  /** Stops what runs and all that waits behind it. */
  cancel(): void;
  /** True while a prompt is worked on. */
  busy(): boolean;
  /** Shows the conversation so far. */
  replay(): Promise<void>;
  /** Tells what may be called, and what the session waits for. */
  announce(): Promise<void>;
  /** Tells what may be called now, if that has changed since `announce`. */
  tellCommands(): Promise<void>;
  /** Ends what runs. */
  close(): Promise<void>;
}

/** Opens a session that exists. @throws SkillmintError session_not_found */
export async function openEditorSession(editor: Editor, sessionId: string): Promise<EditorSession> {
  const { runtime, can } = editor;
  const { cwd } = await runtime.sessions.get(sessionId);
  const send = (update: SessionUpdate): Promise<void> => sendUpdate(editor, sessionId, update);
  const renderer = createRenderer({ cwd, notices: Boolean(can.session?.notices), send });
  for await (const event of runtime.sessions.events(sessionId)) renderer.remember(event);
  const choices = sessionChoices(editor, { sessionId, cwd, send });
  const news = sessionNews(editor, { sessionId, cwd, send });
  const show = async (event: SessionEvent): Promise<void> => {
    await renderer.show(event);
    if ((event.type === 'mode.changed' || event.type === 'model.changed') && !event.is_sub_agent) await choices.tell();
  };
  const talk = conversationOf(editor, { sessionId, cwd, renderer, show });
  const approve = serverApprovals(editor, { sessionId, cwd, send });
  const stops = new Set<AbortController>();
  let last: Promise<unknown> = Promise.resolve();
  let announced = false;

  const run = async (blocks: readonly ContentBlock[], stop: AbortSignal): Promise<StopReason> => {
    const parts = promptParts(blocks);
    await approve(stop);
    const effort = choices.effort();
    const begun = await (commandIn(parts.text)?.run({ runtime, sessionId, goOn: () => talk.goOn(stop) }) ?? talk.begin(parts, { ...editor.turn, ...(effort === undefined ? {} : { effort }) }));
    if (typeof begun === 'string') {
      await renderer.say(begun);
      await news.all();
      return 'end_turn';
    }
    const result = await talk.untilAnswered(begun, stop);
    await news.all();
    return stopReason(result, talk.lastStop());
  };

  return {
    options: choices.options,
    setMode: choices.setMode,
    setOption: choices.setOption,
    busy: () => stops.size > 0,
    async prompt(blocks, taken) {
      const stop = new AbortController();
      const { signal } = stop;
      const abort = (): void => stop.abort();
      taken.addEventListener('abort', abort, { once: true });
      stops.add(stop);
      const result = last.then(() => (signal.aborted ? 'cancelled' : run(blocks, signal)));
      last = result.catch(() => undefined);
      try {
        const stopReason = await result;
        return { stopReason: signal.aborted ? 'cancelled' : stopReason };
      } catch (error) {
        // What breaks when a turn is stopped is no failure of the turn.
        if (signal.aborted) return { stopReason: 'cancelled' };
        throw error;
      } finally {
        taken.removeEventListener('abort', abort);
        stops.delete(stop);
      }
    },
    cancel: () => stops.forEach((stop) => stop.abort()),
    replay: renderer.replay,
    tellCommands: async () => (announced ? news.commands() : undefined),
    async announce() {
      await news.all();
      announced = true;
      await talk.tellOfWaiting();
    },
    async close() {
      stops.forEach((stop) => stop.abort());
      await last;
      await runtime.agents.stop(sessionId);
      renderer.close();
    },
  };
}

/** @throws SkillmintError with the sentence that a turn has failed with */
function stopReason({ status, error }: TurnResult, lastStop: string | undefined): StopReason {
  switch (status) {
    case 'failed': throw new SkillmintError('model_failed', error?.message ?? 'The turn failed.');
    case 'cancelled': return 'cancelled';
    case 'limit': return 'max_turn_requests';
    case 'waiting': return 'end_turn';
    case 'done': return lastStop === 'length' ? 'max_tokens' : lastStop === 'refusal' ? 'refusal' : 'end_turn';
  }
}
