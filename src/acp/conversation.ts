import type { SessionEvent } from '../protocol/events.ts';
import { askedQuestions, chosenText } from '../protocol/question.ts';
import { openRequests, type OpenRequest } from '../protocol/session-state.ts';
import type { PromptRequest, RunningTurn, TurnResult } from '../runtime/runtime.ts';
import { openOf } from '../runtime/turn/open-of.ts';
import type { Answer, Asking } from './ask/answer.ts';
import { askPermission, isPermission } from './ask/ask-permission.ts';
import { askQuestion, questionsText } from './ask/ask-question.ts';
import { sendUpdate, type Editor } from './editor.ts';
import type { PromptParts } from './prompt-parts.ts';
import { plannedFields } from './render/call-fields.ts';
import type { Renderer } from './render/renderer.ts';

const STOPPED = 'The person stopped the turn.';

/** Turns of one session, and what they ask the person. */
export interface Conversation {
  /** Begins a turn with a message, which answers a question that the session waits with. */
  begin(parts: PromptParts, turn: Pick<PromptRequest, 'sandbox' | 'effort'>): Promise<RunningTurn>;
  /** Goes on with what was cut off, or asks again what waits; `left` where the person leaves that open. */
  goOn(stop: AbortSignal): Promise<RunningTurn | 'left' | undefined>;
  /** Shows a turn to its end, and asks the person for all that it and agents in the background wait for. */
  untilAnswered(turn: RunningTurn, stop: AbortSignal): Promise<TurnResult>;
  /** Why the model stopped its latest reply. */
  lastStop(): string | undefined;
  /** Says in the conversation what the session waits for. */
  tellOfWaiting(): Promise<void>;
}

/** The session that is talked with. */
export interface ConversationParts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly renderer: Renderer;
  readonly show: (event: SessionEvent) => Promise<void>;
}

/** Makes the conversation of a session. */
export function conversationOf(editor: Editor, { sessionId, cwd, renderer, show }: ConversationParts): Conversation {
  const { runtime, client, can, gone } = editor;
  let lastStop: string | undefined;

  const showTurn = async (turn: RunningTurn, { stop, silent }: { readonly stop: AbortSignal; readonly silent: boolean }): Promise<TurnResult> => {
    const cancel = (): void => turn.cancel();
    if (stop.aborted) cancel();
    stop.addEventListener('abort', cancel, { once: true });
    try {
      for await (const event of turn.events) {
        if (event.type === 'message.completed' && !event.is_sub_agent) lastStop = event.stop_reason;
        if (!silent) await show(event);
      }
      return await turn.result;
    } finally {
      stop.removeEventListener('abort', cancel);
    }
  };

  const ask = async (open: OpenRequest, stop: AbortSignal): Promise<Answer | undefined> => {
    const asking: Asking = { client, sessionId, signal: AbortSignal.any([stop, gone]) };
    const toolCallId = open.agent ? `${open.agent.task_id}.${open.call.call_id}` : renderer.callId(open.call.call_id);
    if (open.agent) await sendUpdate(editor, sessionId, { sessionUpdate: 'tool_call', toolCallId, status: 'pending', ...plannedFields(open.call, cwd) });
    if (isPermission(open)) return askPermission(asking, open, { toolCallId, cwd });
    return open.question.kind === 'question' ? askQuestion(asking, open.question, { toolCallId, form: Boolean(can.elicitation?.form), say: renderer.say }) : undefined;
  };

  /** The answer as a turn that goes on; what the person has stopped is closed, so that no later message is taken for its answer. */
  const answered = async (open: OpenRequest, answer: Answer | undefined, stop: AbortSignal): Promise<RunningTurn | undefined> => {
    if (!answer && (!stop.aborted || gone.aborted)) return undefined;
    const given: Answer = answer ?? (isPermission(open) ? { kind: 'permission', decision: 'deny', scope: 'once', reason: STOPPED } : { kind: 'text', text: STOPPED });
    const turn = await runtime.answer({ sessionId, requestId: open.question.request_id, answer: given });
    if (open.agent) await sendUpdate(editor, sessionId, { sessionUpdate: 'tool_call_update', toolCallId: `${open.agent.task_id}.${open.call.call_id}`, status: given.kind === 'permission' && given.decision === 'deny' ? 'failed' : 'completed' });
    return turn;
  };

  return {
    lastStop: () => lastStop,
    async begin({ text, attachments }, turn) {
      const [open] = openRequests(await runtime.sessions.state(sessionId));
      if (open?.question.kind !== 'question') return runtime.prompt({ ...turn, sessionId, text, attachments });
      const [only, ...more] = askedQuestions(open.question);
      const words = [only && more.length === 0 ? chosenText(only, text) : text, ...attachments.flatMap((part) => (part.type === 'text' ? [part.text] : []))];
      if (attachments.some(({ type }) => type !== 'text')) await renderer.say('> Pictures and documents do not go with an answer; send them with your next message.\n\n');
      return runtime.answer({ sessionId, requestId: open.question.request_id, answer: { kind: 'text', text: words.join('\n\n') } });
    },
    async goOn(stop) {
      if ((await runtime.sessions.get(sessionId)).status === 'interrupted') return runtime.resume({ sessionId });
      const [open] = await openOf(runtime, sessionId);
      return open && ((await answered(open, await ask(open, stop), stop)) ?? 'left');
    },
    async untilAnswered(first, stop) {
      let own: TurnResult | undefined;
      for (let turn = first, silent = first.sessionId !== sessionId; ;) {
        const result = await showTurn(turn, { stop, silent });
        if (!silent) own = result;
        if (stop.aborted || (!silent && (result.status === 'cancelled' || result.status === 'failed'))) return own ?? result;
        const [open] = await openOf(runtime, sessionId);
        const next = open && (await answered(open, await ask(open, stop), stop));
        if (!next) return own ?? result;
        silent = open.agent !== undefined;
        turn = next;
      }
    },
    async tellOfWaiting() {
      if ((await runtime.sessions.get(sessionId)).status === 'interrupted') return renderer.say('> The last turn was cut off. `/continue` goes on with it; a message takes its place.\n\n');
      const [open] = await openOf(runtime, sessionId);
      if (!open) return;
      if (open.question.kind === 'question') return renderer.say(questionsText(open.question));
      await renderer.say('> The session waits for your consent to a call. `/continue` asks you for it; a message takes its place.\n\n');
    },
  };
}
