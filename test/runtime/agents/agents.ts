import fs from 'node:fs';
import path from 'node:path';
import { textOf } from '../../../src/protocol/content.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { ModelRequest } from '../../../src/model/model.ts';
import type { ScriptedReply, ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { eventsOf, type Place } from '../open.ts';

/** A reply with these calls of `Task`. */
export function task(...inputs: readonly JsonObject[]): ScriptedReply {
  return { calls: inputs.map((input) => ({ tool: 'Task', input })) };
}

/** A reply with one call. */
export function call(tool: string, input: JsonObject): ScriptedReply {
  return { calls: [{ tool, input }] };
}

/** Writes an agent file, and returns its path. */
export function writeAgent(folder: string, name: string, frontmatter: string, body = `INSTRUCTIONS OF ${name}`): string {
  const file = path.join(folder, 'agents', `${name}.md`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `---\n${frontmatter}---\n\n${body}\n`);
  return file;
}

/** Folder of a project's agents. */
export function projectFolder(place: Place, kind = '.claude'): string {
  return path.join(place.project, kind);
}

/** Results of the calls of the outer session, in order. */
export function outputs(events: readonly SessionEvent[]): readonly string[] {
  return eventsOf(events, 'tool.completed').filter((event) => !event.is_sub_agent).map((event) => textOf(event.output));
}

/** How calls of sub-agents ended, in order. */
export function innerStatuses(events: readonly SessionEvent[]): readonly string[] {
  return eventsOf(events, 'tool.completed').filter((event) => event.is_sub_agent).map((event) => event.status);
}

/** Text of all messages of a request. */
export function textsOf(request: ModelRequest | undefined): string {
  return JSON.stringify(request?.messages);
}

/** A script of two roles: the sub-agent whose prompt holds a key gets its replies, anyone else those of the outer session, each in order. */
export function roles(outer: readonly ScriptedStep[], inner: Readonly<Record<string, readonly ScriptedStep[]>>, most = 40): readonly ScriptedStep[] {
  const used = new Map<string, number>();
  const step: ScriptedStep = async (request, index) => {
    const first = textsOf({ ...request, messages: request.messages.slice(0, 1) });
    const role = Object.keys(inner).find((key) => first.includes(key)) ?? '';
    const at = used.get(role) ?? 0;
    used.set(role, at + 1);
    const next = (role === '' ? outer : inner[role] ?? [])[at] ?? `NO REPLY ${at} FOR ${role}`;
    return typeof next === 'function' ? next(request, index) : next;
  };
  return Array.from({ length: most }, () => step);
}
