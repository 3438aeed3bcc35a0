import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentItem, CallItem } from '../../protocol/transcript/transcript.ts';
import { agentFields, callFields, type CallFields } from './call-fields.ts';

/** Shows a call or a sub-agent: whole the first time, later only what has changed of it. */
export function callCards({ cwd, send }: { readonly cwd: string; readonly send: (update: SessionUpdate) => Promise<void> }): (item: CallItem | AgentItem) => Promise<void> {
  const sent = new Map<string, CallFields>();
  return async (item) => {
    const fields = item.kind === 'call' ? callFields(item, cwd) : agentFields(item);
    const before = sent.get(item.key);
    sent.set(item.key, fields);
    if (!before) return send({ sessionUpdate: 'tool_call', toolCallId: item.key, ...fields });
    const changes = changesOf(before, fields);
    if (Object.keys(changes).length > 0) await send({ sessionUpdate: 'tool_call_update', toolCallId: item.key, ...changes });
  };
}

/** The fields that are not as they were. */
function changesOf(before: CallFields, after: CallFields): Partial<CallFields> {
  return {
    ...(before.title === after.title ? {} : { title: after.title }),
    ...(before.name === after.name ? {} : { name: after.name }),
    ...(before.kind === after.kind ? {} : { kind: after.kind }),
    ...(before.status === after.status ? {} : { status: after.status }),
    ...(isSame(before.content, after.content) ? {} : { content: after.content }),
    ...(isSame(before.locations, after.locations) ? {} : { locations: after.locations }),
    ...(isSame(before.rawInput, after.rawInput) ? {} : { rawInput: after.rawInput }),
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
