import { isObject } from '../protocol/json.ts';
import type { LoadedSettings } from './load-settings.ts';
import { sandboxMode, type LayerName } from './layers.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { pathForPeople, pathInForce } from './sandbox-form.ts';
import { isSecret, parseKey, showPath, type SettingPath } from './settings-keys.ts';

/** One setting as `config list` shows it; keys and header values are masked. */
export interface SettingRow {
  readonly key: string;
  readonly value: unknown;
  /** The strongest layer that says something about it. */
  readonly layer: LayerName;
  /** The layers that made the value, weakest first; more than one only for lists. */
  readonly origins: readonly { readonly layer: LayerName; readonly file?: string }[];
}

const MASK = '***';

interface Leaf {
  readonly path: SettingPath;
  readonly value: unknown;
}

/** Objects are entered, lists are not; `{ env }` of a key is one value, it names no secret. */
function leaves(value: object, path: readonly string[] = []): readonly Leaf[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const here = [...path, key];
    return isObject(inner) && !isSecret(here) ? leaves(inner, here) : [{ path: here, value: inner }];
  });
}

function masked({ path, value }: Leaf): unknown {
  return isSecret(path) && typeof value === 'string' ? MASK : value;
}

/** A stronger layer replaces a provider or an embeddings endpoint as a whole, so that only its own fields remain. */
function makes(path: SettingPath, settings: object): boolean {
  const whole = path[0] === 'providers' ? path.slice(0, 2) : path;
  return whole.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), settings) !== undefined;
}

/** Every setting that has a value, with its origin, in the order of their names. */
export function listSettings(loaded: LoadedSettings): readonly SettingRow[] {
  const rows = leaves(loaded.values).map((leaf) => {
    const path = pathForPeople(leaf.path);
    const makers = loaded.layers.filter(({ settings }) => (showPath(path) === 'sandbox' ? sandboxMode(settings.sandbox) !== undefined : makes(path, settings)));
    const counted = Array.isArray(leaf.value) ? makers : makers.slice(-1);
    const origins = counted.map(({ name, file }) => ({ layer: name, ...(file !== undefined && { file }) }));
    const isDefault = makes(leaf.path, DEFAULT_SETTINGS) && origins.length === 0;
    return { key: showPath(path), value: masked(leaf), layer: origins.at(-1)?.layer ?? 'default', origins: isDefault ? [{ layer: 'default' as const }] : origins };
  });
  return rows.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** What the person's own file says of a setting, masked like in the list; undefined where it says nothing. */
export function ownSetting({ layers }: Pick<LoadedSettings, 'layers'>, key: string): unknown {
  const file: unknown = layers.find(({ name }) => name === 'user')?.settings;
  if (key === 'sandbox') return isObject(file) ? pathToMode(file) : undefined;
  const path = parseKey(key);
  const value = path.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), file);
  return masked({ path, value });
}

function pathToMode({ sandbox }: Readonly<Record<string, unknown>>): unknown {
  return isObject(sandbox) ? sandbox['mode'] : sandbox;
}

/** The value of one setting, masked like in the list; undefined when it is not set. Throws `usage` for a setting that does not exist. */
export function getSetting(loaded: LoadedSettings, key: string): unknown {
  const path = parseKey(key);
  const value = pathInForce(path).reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), loaded.values);
  if (!isObject(value) || isSecret(path)) return masked({ path, value });
  const below = listSettings(loaded).filter((row) => row.key.startsWith(`${showPath(path)}.`));
  return Object.fromEntries(below.map((row) => [row.key.slice(showPath(path).length + 1), row.value]));
}
