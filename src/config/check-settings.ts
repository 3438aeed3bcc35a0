import { never } from '../util/never.ts';
import { isObject } from '../protocol/json.ts';
import { findViolation } from './schema-violation.ts';
import type { SettingsFile } from './settings.ts';
import { SETTINGS_SCHEMA } from './settings-schema.ts';
import { expectation, knownKeys, mayHoldSecrets, schemaAt, showPath, suggestion, type SettingPath } from './settings-keys.ts';

/** What is wrong with a value, and where. */
export interface SettingProblem {
  readonly path: SettingPath;
  readonly says: string;
}

/** True when the value is one that a settings file may hold. */
export function isSettingsFile(value: unknown): value is SettingsFile {
  return findViolation(SETTINGS_SCHEMA, value) === undefined && serverProblem(value) === undefined;
}

function valueAt(value: unknown, path: SettingPath): unknown {
  return path.reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined), value);
}

function shown(value: unknown, path: SettingPath): string {
  if (mayHoldSecrets(path)) return 'what it is';
  const text = JSON.stringify(value).replace(/\/\/[^/\s]*@/g, '//***@');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function unknownKey(path: SettingPath): string {
  const name = String(path.at(-1));
  const parent = path.slice(0, -1);
  const where = parent.length > 0 ? ` in ${showPath(parent)}` : '';
  return `unknown setting ${JSON.stringify(name)}${where}; ${suggestion(name, knownKeys(schemaAt(parent) ?? {}))}`;
}

/** The first problem of a value that is no settings file, said for the person who wrote it. */
export function findProblem(value: unknown): SettingProblem | undefined {
  const violation = findViolation(SETTINGS_SCHEMA, value);
  if (violation === undefined) return serverProblem(value);
  const { path, kind, key } = violation;
  const name = path.length > 0 ? showPath(path) : 'the file';
  switch (kind) {
    case 'key':
      return { path, says: unknownKey(path) };
    case 'name':
      return { path, says: `the name ${JSON.stringify(path.at(-1))} in ${showPath(path.slice(0, -1))} may only have letters, digits, - and _` };
    case 'missing':
      return { path, says: `${name} lacks ${JSON.stringify(key)}` };
    case 'value':
      return { path, says: `${name} must be ${expectation(path)}, not ${shown(valueAt(value, path), path)}` };
    default:
      return never(kind);
  }
}

/** What the schema cannot say of servers: one is either a program or an address. */
function serverProblem(value: unknown): SettingProblem | undefined {
  const servers = isObject(value) && isObject(value['mcpServers']) ? Object.entries(value['mcpServers']) : [];
  for (const [name, server] of servers) {
    const path = ['mcpServers', name];
    const says = isObject(server) ? formProblem(server) : undefined;
    if (says !== undefined) return { path, says: `${showPath(path)} ${says}` };
  }
  return undefined;
}

function formProblem({ type, command, args, env, cwd, url, headers }: Readonly<Record<string, unknown>>): string | undefined {
  if (command !== undefined && url !== undefined) return 'has both "command" and "url"; a server is a program or an address';
  if (command === undefined && url === undefined) return 'lacks "command" (a program) or "url" (an address)';
  if (command !== undefined && type !== undefined && type !== 'stdio') return `has a "command" and the type ${JSON.stringify(type)}; write "url" for a server over HTTP`;
  if (url !== undefined && type === 'stdio') return 'has a "url" and the type "stdio"; write "command" for a program';
  if (url !== undefined && [args, env, cwd].some((one) => one !== undefined)) return 'has "args", "env" or "cwd" beside "url"; those are for programs';
  return command !== undefined && headers !== undefined ? 'has "headers" beside "command"; those are for addresses' : undefined;
}
