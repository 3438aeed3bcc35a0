import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { SkillProblem } from '../discover/skill-root.ts';
import { readJsonObject } from './json-object.ts';
import { pluginSource, type PluginSource } from './plugin-source.ts';

/** A plugin that a marketplace offers. */
export interface MarketplacePlugin {
  readonly name: string;
  readonly description: string;
  readonly version: string | undefined;
  readonly source: PluginSource;
  /** Places with skills that the entry itself names. */
  readonly skills: readonly string[];
  /** The entry says all there is to say: what lies in the usual places does not count. */
  readonly complete: boolean;
}

/** What a marketplace offers, and which of its entries cannot be used. */
export interface Marketplace {
  readonly name: string;
  readonly plugins: readonly MarketplacePlugin[];
  readonly problems: readonly SkillProblem[];
}

const MAX_BYTES = 10 * 1024 * 1024;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,127}$/u;

/**
 * Reads the marketplace in a fetched tree (`.claude-plugin/marketplace.json`); undefined where there is none. Nothing is fetched
 * and nothing runs. Throws `plugin_refused` for a file that cannot be read as one; single entries that cannot be used are problems.
 */
export function readMarketplace(tree: ReadTree, folder: string): Marketplace | undefined {
  const file = path.join(folder, '.claude-plugin', 'marketplace.json');
  const read = readJsonObject(tree, file, MAX_BYTES);
  if (read.kind === 'none') return undefined;
  if (read.kind === 'broken') throw refused(file, read.why, read.cause);
  const { name, plugins, metadata, owner } = read.value;
  if (typeof name !== 'string' || !NAME.test(name)) throw refused(file, 'has no usable "name"');
  if (!isObject(owner)) throw refused(file, 'has no "owner"');
  if (!Array.isArray(plugins)) throw refused(file, 'has no list "plugins"');
  const pluginRoot = isObject(metadata) && typeof metadata['pluginRoot'] === 'string' ? metadata['pluginRoot'] : undefined;
  const entries = plugins.map((entry: unknown, i) => readEntry(entry, { file, number: i + 1, pluginRoot }));
  const names = entries.flatMap((each) => ('name' in each ? [each.name] : []));
  const twice = names.find((each, i) => names.indexOf(each) !== i);
  if (twice !== undefined) throw refused(file, `has two plugins called ${JSON.stringify(twice)}`);
  return { name, plugins: entries.filter((each) => 'name' in each), problems: entries.filter((each) => 'message' in each) };
}

function readEntry(entry: unknown, { file, number, pluginRoot }: { readonly file: string; readonly number: number; readonly pluginRoot: string | undefined }): MarketplacePlugin | SkillProblem {
  const problem = (message: string): SkillProblem => ({ path: file, message: `plugin ${number}: ${message}` });
  if (!isObject(entry)) return problem('this is no object');
  const { name, description, version, source, skills, strict } = entry;
  if (typeof name !== 'string' || !NAME.test(name)) return problem('it has no usable "name"');
  const places = skills === undefined ? [] : [skills].flat();
  if (!places.every((place): place is string => typeof place === 'string')) return problem(`the "skills" of ${name} are no paths`);
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return { name, description: text(description) ?? '', version: text(version), source: pluginSource(source, pluginRoot), skills: places, complete: strict === false && places.length > 0 };
}

function refused(file: string, what: string, cause?: unknown): SkillmintError {
  return new SkillmintError('plugin_refused', `The marketplace file ${file} ${what}. Nothing was installed.`, { cause });
}
