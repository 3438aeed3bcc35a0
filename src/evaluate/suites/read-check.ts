import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts';
import type { Check } from './suite.ts';

const USUAL_TIMEOUT_MS = 60_000;
const LONGEST_TIMEOUT_MS = 600_000;
const TYPES: readonly Check['type'][] = ['file_exists', 'file_absent', 'file_matches', 'file_schema', 'command', 'answer_contains', 'answer_matches', 'tool_called', 'tool_not_called', 'script_used', 'skill_loaded', 'skill_not_loaded'];

/** A check, or what is wrong with it and what to do. */
export type CheckReading = { readonly check: Check } | { readonly problem: string };

/** Reads `{ "check": TYPE, … }`; `type` is taken for `check`, too. */
export function readCheck(entry: JsonObject): CheckReading {
  const named = entry['check'] ?? entry['type'];
  const type = TYPES.find((one) => one === (typeof named === 'string' ? named.replaceAll('-', '_') : named));
  if (type === undefined) return { problem: `it is neither a text nor a check that exists (${named === undefined ? 'it has no "check"' : JSON.stringify(named)}); checks are ${TYPES.join(', ')}` };
  switch (type) {
    case 'file_exists':
    case 'file_absent': return withPath(entry, type, (path) => ({ check: { type, path } }));
    case 'file_matches': return withPath(entry, type, (path) => withPattern(entry, type, (pattern) => ({ check: { type, path, pattern } })));
    case 'file_schema': return withPath(entry, type, (path) => {
      const { schema } = entry;
      return isJsonObject(schema) ? { check: { type, path, schema } } : { problem: `${type} needs a JSON Schema as "schema"` };
    });
    case 'command': return readCommand(entry);
    case 'answer_contains': {
      const value = textOf(entry['value'] ?? entry['contains']);
      return value === undefined ? { problem: `${type} needs the text as "value"` } : { check: { type, value } };
    }
    case 'answer_matches': return withPattern(entry, type, (pattern) => ({ check: { type, pattern } }));
    case 'tool_called':
    case 'tool_not_called': {
      const tool = textOf(entry['tool']);
      if (tool === undefined) return { problem: `${type} needs the name of a tool as "tool"` };
      return entry['pattern'] === undefined ? { check: { type, tool } } : withPattern(entry, type, (pattern) => ({ check: { type, tool, pattern } }));
    }
    case 'script_used': {
      const script = textOf(entry['script']);
      return { check: script === undefined ? { type } : { type, script } };
    }
    case 'skill_loaded':
    case 'skill_not_loaded': return { check: { type } };
  }
}

function readCommand(entry: JsonObject): CheckReading {
  const command = textOf(entry['command']);
  if (command === undefined) return { problem: 'command needs a shell line as "command"' };
  const { exit_code: code = 0, timeout_ms: timeout = USUAL_TIMEOUT_MS } = entry;
  if (typeof code !== 'number' || !Number.isInteger(code)) return { problem: 'the "exit_code" of command has to be a whole number' };
  if (typeof timeout !== 'number' || timeout <= 0 || timeout > LONGEST_TIMEOUT_MS) return { problem: `the "timeout_ms" of command has to lie above 0 and be at most ${LONGEST_TIMEOUT_MS}` };
  return { check: { type: 'command', command, exit_code: code, timeout_ms: timeout } };
}

/** The path stays in the workspace. */
function withPath(entry: JsonObject, type: string, then: (path: string) => CheckReading): CheckReading {
  const path = textOf(entry['path'] ?? entry['file']);
  if (path === undefined) return { problem: `${type} needs a path in the workspace as "path"` };
  const outside = /^(?:[/\\~]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..');
  return outside ? { problem: `the path ${path} leads out of the workspace: give one relative to it, without ".."` } : then(path.replace(/^(?:\.\/)+/, ''));
}

function withPattern(entry: JsonObject, type: string, then: (pattern: string) => CheckReading): CheckReading {
  const pattern = textOf(entry['pattern'] ?? entry['regex']);
  if (pattern === undefined) return { problem: `${type} needs a regular expression as "pattern"` };
  try {
    RegExp(pattern, 'mu');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `"pattern" is no regular expression (${error.message})` };
  }
  return then(pattern);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
