import { httpFetch } from '../../src/egress/http-fetch.ts';
import { localClock } from '../../src/host/local-clock.ts';
import type { Message } from '../../src/protocol/message.ts';
import type { ToolSpec } from '../../src/protocol/tool.ts';
import type { Model, ModelEvent, ModelFailure, ModelReply, ModelRequest } from '../../src/model/model.ts';
import type { ModelApi } from '../../src/model/provider-settings.ts';
import { resolveModel, type ResolveOptions } from '../../src/model/resolve.ts';

export const APIS: readonly ModelApi[] = ['anthropic', 'openai-chat', 'openai-responses'];

export const KEY = 'sk-test-0123456789abcdef';

/** A tool as requests carry it. */
export function toolSpec(name: string): ToolSpec {
  return { name, description: `The tool ${name}.`, input_schema: { type: 'object', properties: { path: { type: 'string' } } } };
}

export function requestOf(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'You help.', tools: [toolSpec('Read')], messages, ...more };
}

export const HELLO: ModelRequest = requestOf([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]);

/** Options whose waits are short and whose ids are counted. */
export function options(more: Partial<ResolveOptions> = {}): ResolveOptions {
  let count = 0;
  return {
    providers: {},
    env: {},
    fetch: httpFetch,
    clock: localClock(),
    ids: () => `made_${++count}`,
    random: () => 0.5,
    retry: { firstWaitMs: 1, longestWaitMs: 4 },
    ...more,
  };
}

/** A custom provider `fake` at a base URL, with one model `fake/m`. */
export function fakeModel(api: ModelApi, baseUrl: string, more: Partial<ResolveOptions> = {}): Model {
  return resolveModel('fake/m', options({ providers: { fake: { api, baseUrl, apiKey: KEY, models: [{ id: 'm', images: true }] } }, ...more }));
}

export async function collect(model: Model, request: ModelRequest = HELLO, signal: AbortSignal = new AbortController().signal): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

/** The reply of a stream that must end with one. */
export function replyIn(events: readonly ModelEvent[]): ModelReply {
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error(`no reply but ${JSON.stringify(last)}`);
  return last.reply;
}

/** The failure of a stream that must end with one. */
export function failureIn(events: readonly ModelEvent[]): ModelFailure {
  const last = events.at(-1);
  if (last?.type !== 'failed') throw new Error(`no failure but ${JSON.stringify(last)}`);
  return last.failure;
}

export function deltas(events: readonly ModelEvent[], type: 'text.delta' | 'reasoning.delta'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}
