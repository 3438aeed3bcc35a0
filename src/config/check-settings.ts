import { never } from '../util/never.ts';
import { findViolation } from './schema-violation.ts';
import type { SettingsFile } from './settings.ts';
import { SETTINGS_SCHEMA } from './settings-schema.ts';
import { expectation, isSecret, knownKeys, schemaAt, showPath, suggestion, type SettingPath } from './settings-keys.ts';

/** What is wrong with a value, and where. */
export interface SettingProblem {
  readonly path: SettingPath;
  readonly says: string;
}

/** True when the value is one that a settings file may hold. */
export function isSettingsFile(value: unknown): value is SettingsFile {
  return findViolation(SETTINGS_SCHEMA, value) === undefined;
}

function valueAt(value: unknown, path: SettingPath): unknown {
  return path.reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined), value);
}

function shown(value: unknown, path: SettingPath): string {
  if (isSecret(path)) return 'what it is';
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
  if (violation === undefined) return undefined;
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
