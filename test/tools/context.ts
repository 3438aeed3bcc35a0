import fs from 'node:fs';
import path from 'node:path';
import { childEnvironment } from '../../src/host/child-environment.ts';
import type { Host } from '../../src/host/host.ts';
import { localHost } from '../../src/host/local-host.ts';
import { isObject } from '../../src/protocol/json.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ok } from '../../src/protocol/tool.ts';
import type { ToolOutcome } from '../../src/protocol/tool.ts';
import type { Todo } from '../../src/protocol/todo.ts';
import { textOf } from '../../src/protocol/content.ts';
import { backgroundShells } from '../../src/tools/background-shells.ts';
import type { Tool, ToolContext } from '../../src/tools/define.ts';
import { builtinTools, toolResolver } from '../../src/tools/tool-set.ts';
import { createInputValidator } from '../../src/tools/validate-input.ts';
import { temporaryFolder } from '../host/temporary-folder.ts';

/** A session as the runtime would keep it: a folder, a tool set and the state that results add up to. */
export interface Bench {
  readonly cwd: string;
  readonly context: ToolContext;
  readonly stamps: Map<string, string>;
  readonly emitted: string[];
  /** Validates and runs a call by name; stamps of the result count for the next call. */
  call(tool: string, input: JsonObject, more?: Partial<ToolContext>): Promise<ToolOutcome & { readonly text: string }>;
  write(name: string, data: string | Uint8Array): string;
  read(name: string): string;
}

export function makeBench(options: { readonly host?: Host; readonly cwd?: string; readonly todos?: readonly Todo[]; readonly tools?: readonly Tool[] } = {}): Bench {
  const cwd = options.cwd ?? temporaryFolder();
  const resolve = toolResolver(options.tools ?? builtinTools({ platform: 'linux' }));
  const validate = createInputValidator();
  const stamps = new Map<string, string>();
  const emitted: string[] = [];
  const context: ToolContext = {
    callId: 'call-1',
    newRequestId: () => 'req-1',
    host: options.host ?? localHost(),
    cwd,
    childEnv: childEnvironment(process.env),
    signal: new AbortController().signal,
    keepBefore: async () => undefined,
    emit: (text) => emitted.push(text),
    fileStamps: stamps,
    todos: options.todos ?? [],
    shells: backgroundShells(),
    skills: { load: async ({ name, args }) => ok(`skill ${name} ${args ?? '-'}`), find: async (query) => ok(`found ${query}`) },
    agents: { run: async ({ prompt, type }) => ok(`agent ${type ?? '-'}: ${prompt}`), output: async ({ taskId, block }) => ok(`output of ${taskId} ${block}`), stop: async () => undefined },
    memory: { run: async ({ action, key }) => ok(`${action} ${key}`) },
    web: { fetch: async ({ url }) => ok(`page ${url.href}`), search: async ({ query, count }) => ok(`searched ${query} ${count}`) },
    modeBeforePlan: 'default',
    browser: { run: async ({ action }) => ({ outcome: ok(`browser ${action}`) }) },
    accepts: { images: true, documents: true },
  };
  return {
    cwd,
    context,
    stamps,
    emitted,
    async call(name, input, more = {}) {
      const tool = resolve(name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const checked = validate(tool, input);
      if ('problem' in checked) throw new Error(checked.problem);
      const outcome = await tool.run(checked.input, { ...context, ...more });
      if (outcome.status === 'waiting') throw new Error(`${name} waits`);
      const found = outcome.details?.['stamps'];
      if (isObject(found)) for (const [file, stamp] of Object.entries(found)) if (typeof stamp === 'string') stamps.set(file, stamp);
      return { ...outcome, text: textOf(outcome.content) };
    },
    write(name, data) {
      const file = path.join(cwd, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, data);
      return file;
    },
    read: (name) => fs.readFileSync(path.join(cwd, name), 'utf8'),
  };
}
