import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { isObject, parseJson } from '../../protocol/json.ts';
import type { SkillProblem } from '../discover/skill-root.ts';
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
  const value = jsonOf(tree, file);
  if (value === undefined) return undefined;
  if (!isObject(value)) throw refused(file, 'holds no JSON object');
  const { name, plugins, metadata } = value;
  if (typeof name !== 'string' || !NAME.test(name)) throw refused(file, 'has no usable "name"');
  if (!isObject(value['owner'])) throw refused(file, 'has no "owner"');
  if (!Array.isArray(plugins)) throw refused(file, 'has no list "plugins"');
  const pluginRoot = isObject(metadata) && typeof metadata['pluginRoot'] === 'string' ? metadata['pluginRoot'] : undefined;
  const read = plugins.map((entry: unknown, i) => readEntry(entry, { file, number: i + 1, pluginRoot }));
  const names = read.flatMap((each) => ('name' in each ? [each.name] : []));
  const twice = names.find((each, i) => names.indexOf(each) !== i);
  if (twice !== undefined) throw refused(file, `has two plugins called ${JSON.stringify(twice)}`);
  return { name, plugins: read.filter((each) => 'name' in each), problems: read.filter((each) => 'message' in each) };
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

/** The value in a JSON file; undefined where there is no file. */
function jsonOf(tree: ReadTree, file: string): unknown {
  try {
    if (tree.stat(file).size > MAX_BYTES) throw refused(file, `has more than ${MAX_BYTES} bytes`);
    const value = parseJson(Buffer.from(tree.read(file)).toString().replace(/^\ufeff/, ''));
    if (value === undefined) throw refused(file, 'is not valid JSON');
    return value;
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined;
    throw refused(file, `cannot be read: ${messageOf(error)}`, error);
  }
}

function refused(file: string, what: string, cause?: unknown): SkillmintError {
  return new SkillmintError('plugin_refused', `The marketplace file ${file} ${what}. Nothing was installed.`, { cause });
}
