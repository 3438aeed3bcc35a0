import { isObject } from '../protocol/json.ts';
import type { SettingPath } from './settings-keys.ts';

/**
 * The setting `sandbox` is a word, or an object with that word as `mode` beside `limits`; what holds keeps the two apart.
 * Where a part of what holds stands in the settings of people.
 */
export function pathForPeople(path: SettingPath): SettingPath {
  return path[0] === 'sandboxLimits' ? ['sandbox', 'limits', ...path.slice(1)] : path;
}

/** The other way round. */
export function pathInForce(path: readonly string[]): readonly string[] {
  if (path[0] !== 'sandbox') return path;
  if (path[1] === 'limits') return ['sandboxLimits', ...path.slice(2)];
  return path[1] === 'mode' ? ['sandbox'] : path;
}

/** What to write so that a change of one part of `sandbox` keeps the other: `file` is what the settings file holds. */
export function sandboxEdit(file: unknown, path: readonly string[]): { readonly first?: { readonly path: readonly string[]; readonly value: object }; readonly path: readonly string[] } {
  const now: unknown = isObject(file) ? file['sandbox'] : undefined;
  if (path[0] !== 'sandbox') return { path };
  if (path.length === 1 && isObject(now)) return { path: ['sandbox', 'mode'] };
  if (path.length > 1 && typeof now === 'string') return { first: { path: ['sandbox'], value: { mode: now } }, path };
  return { path };
}
