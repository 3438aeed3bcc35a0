import { isObject, parseJson, type Json } from '../protocol/json.ts';
import { schemaAt, type SettingPath } from './settings-keys.ts';

/**
 * The value that a person means by a text on the command line or in a variable: as the setting's type asks for it,
 * lists also as `a,b`. What does not fit stays a text, so that the check says what is expected.
 */
export function parseText(path: SettingPath, text: string): Json {
  const type = schemaAt(path)?.['type'];
  if (type === 'string') return text;
  const value = parseJson(text);
  if (type === 'array' && !Array.isArray(value)) return text.split(',').map((part) => part.trim()).filter((part) => part !== '');
  if (type === undefined && !isObject(value)) return text;
  return value ?? text;
}

/** A copy of `target` with the value at the path; objects on the way are made. */
export function putValue(target: object, path: readonly string[], value: Json): object {
  const [first, ...rest] = path;
  if (first === undefined) return target;
  const inner: unknown = Reflect.get(target, first);
  return { ...target, [first]: rest.length === 0 ? value : putValue(isObject(inner) ? inner : {}, rest, value) };
}
