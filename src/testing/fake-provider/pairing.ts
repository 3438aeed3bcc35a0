import { isObject } from '../../protocol/json.ts';
import type { FakeApi } from './script.ts';

interface Entry {
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a strict provider refuses a conversation for: a call without its result before anything else is said, a
 * result without its call, two calls with one id. Empty when every call is paired.
 */
export function pairingProblems(api: FakeApi, body: Fields): readonly string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let open: string[] = [];
  for (const { calls, results } of entriesOf(api, body)) {
    for (const id of results) {
      if (!open.includes(id)) problems.push(`the result ${id} has no call`);
      open = open.filter((other) => other !== id);
    }
    if (results.length === 0 && calls.length === 0) problems.push(...open.splice(0).map((id) => `the call ${id} has no result`));
    for (const id of calls) {
      if (seen.has(id)) problems.push(`two calls have the id ${id}`);
      seen.add(id);
      open.push(id);
    }
  }
  return [...problems, ...open.map((id) => `the call ${id} has no result`)];
}

function entriesOf(api: FakeApi, body: Fields): readonly Entry[] {
  switch (api) {
    case 'anthropic': return objects(body['messages']).map(({ content }) => ({ calls: ids(content, 'tool_use', 'id'), results: ids(content, 'tool_result', 'tool_use_id') }));
    case 'openai-chat': return objects(body['messages']).map((message) => ({ calls: objects(message['tool_calls']).map(({ id }) => String(id)), results: message['role'] === 'tool' ? [String(message['tool_call_id'])] : [] }));
    case 'openai-responses': return objects(body['input']).map((item) => ({ calls: ids([item], 'function_call', 'call_id'), results: ids([item], 'function_call_output', 'call_id') }));
  }
}

function ids(content: unknown, type: string, field: string): readonly string[] {
  return objects(content).filter((block) => block['type'] === type).map((block) => String(block[field]));
}

function objects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
