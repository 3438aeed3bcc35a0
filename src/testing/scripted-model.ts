import type { AssistantPart } from '../protocol/content.ts';
import type { JsonObject } from '../protocol/json.ts';
import { NO_USAGE, type Usage } from '../protocol/usage.ts';
import type { Model, ModelEvent, ModelFailure, ModelInfo, ModelRequest, StopReason } from '../model/model.ts';

/** One reply of a scripted model. A plain text stands for a reply of that text. */
export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  /** Tool calls; an id is made from the place of the reply and of the call when none is given. */
  readonly calls?: readonly { readonly tool: string; readonly input?: JsonObject; readonly call_id?: string; readonly invalid?: string }[];
  readonly usage?: Partial<Usage>;
  /** `tool_calls` when there are calls, else `end`. */
  readonly stop?: StopReason;
  /** Ends with this failure, after text and reasoning were streamed. */
  readonly failure?: ModelFailure;
  /** Says nothing more after text and reasoning, until the signal aborts. */
  readonly hang?: true;
}

/** A reply, its text, or a function that makes it of the request. */
export type ScriptedStep = string | ScriptedReply | ((request: ModelRequest, index: number) => string | ScriptedReply | Promise<string | ScriptedReply>);

/** A scripted model and everything that it was asked, in order. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

const INFO: ModelInfo = { provider: 'scripted', id: 'model', contextWindow: 200_000, maxOutput: 8_192, images: true, documents: true };

/**
 * A model in memory for tests: the first request gets the first reply, and so on; after the last one every request
 * fails with `bad_response`. Text and reasoning are streamed in pieces of about a token; an abort ends the stream
 * with the failure `aborted`.
 *
 * ```ts
 * const model = scriptedModel([
 *   { text: 'I look.', calls: [{ tool: 'Read', input: { file_path: 'a.txt' } }] },
 *   (request) => `I was told ${request.messages.length} messages.`,
 * ]);
 * ```
 */
export function scriptedModel(steps: readonly ScriptedStep[], info: Partial<ModelInfo> = {}): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    info: { ...INFO, ...info },
    requests,
    stream: async function* (request, signal) {
      const index = requests.push(structuredClone(request)) - 1;
      const step = steps[index];
      if (step === undefined) return yield failed({ kind: 'bad_response', message: `The script has ${steps.length} replies; this is request ${index + 1}.`, retryable: false });
      const made = typeof step === 'function' ? await step(request, index) : step;
      yield* play(typeof made === 'string' ? { text: made } : made, { index, signal, provider: info.provider ?? INFO.provider });
    },
  };
}

interface Stage {
  readonly index: number;
  readonly signal: AbortSignal;
  readonly provider: string;
}

async function* play(reply: ScriptedReply, stage: Stage): AsyncGenerator<ModelEvent> {
  const deltas = [...pieces('reasoning.delta', reply.reasoning), ...pieces('text.delta', reply.text)];
  for (const delta of deltas) {
    if (stage.signal.aborted) return yield ABORTED;
    yield delta;
    await Promise.resolve();
  }
  if (reply.hang) await aborted(stage.signal);
  if (stage.signal.aborted) return yield ABORTED;
  yield reply.failure ? failed(reply.failure) : { type: 'done', reply: { content: contentOf(reply, stage), usage: { ...NO_USAGE, ...reply.usage }, stop: reply.stop ?? (reply.calls?.length ? 'tool_calls' : 'end') } };
}

function contentOf({ reasoning, text, calls = [] }: ScriptedReply, { index, provider }: Stage): readonly AssistantPart[] {
  return [
    ...(reasoning ? [{ type: 'reasoning', text: reasoning, provider } as const] : []),
    ...(text ? [{ type: 'text', text } as const] : []),
    ...calls.map(({ tool, input = {}, call_id, invalid }, place) => ({
      type: 'tool_call' as const,
      call_id: call_id ?? `call_${index + 1}_${place + 1}`,
      tool,
      input,
      ...(invalid === undefined ? {} : { invalid }),
    })),
  ];
}

function pieces(type: 'text.delta' | 'reasoning.delta', text = ''): readonly ModelEvent[] {
  return (text.match(/\s*\S{1,8}|\s+/g) ?? []).map((piece) => ({ type, text: piece }));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function failed(failure: ModelFailure): ModelEvent {
  return { type: 'failed', failure };
}

const ABORTED: ModelEvent = failed({ kind: 'aborted', message: 'The model call was stopped.', retryable: false });
