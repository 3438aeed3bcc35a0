import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillLibrary } from '../../skills/library/library-folder.ts';
import { mostSimilar } from '../../util/similar.ts';
import { missingSkill } from './named-skill.ts';
import type { Scope } from './library-of.ts';

/** Where a person's own skills lie. */
export interface OwnPlaces {
  readonly home: string;
  readonly data: string;
}

/** Which skill is meant, and what is to happen to it, for messages: `removed`, `changed`. */
export interface Wish {
  readonly name: string;
  readonly done: string;
  /** Only skills of this scope; of either when left out. */
  readonly scope?: Scope;
}

const PLACE = /^(.*)[/\\]\.(?:skillmint|agents|claude)[/\\]skills(?:[/\\]|$)/;

/** The skill that a person may change under this name or id, spelled exactly. Throws `skill_not_found`, and `permission_denied` for one that is not theirs to change. */
export function changeableSkill(entries: readonly SkillEntry[], wish: Wish, places: OwnPlaces): SkillEntry {
  const { name, scope } = wish;
  const named = entries.filter((entry) => entry.id === name || entry.name === name || path.basename(entry.folder) === name);
  const fits = named.filter(({ source }) => (scope === undefined ? source === 'user' || source === 'project' : source === scope));
  const [found] = fits.length > 0 ? fits : named;
  if (!found) throw missingSkill(name, mostSimilar(name, [...new Set(entries.map((entry) => entry.name))], 3));
  const obstacle = fits.length === 0 ? foreign(found, wish) : ownButFixed(found, places);
  if (obstacle !== undefined) throw new SkillmintError('permission_denied', `${found.id} cannot be ${wish.done}: ${obstacle}`);
  return found;
}

/** The folder that holds the skill's folder, as something that can be changed; `data` is the data folder. */
export function libraryAround(entry: SkillEntry, data: string): SkillLibrary {
  const project = PLACE.exec(entry.folder)?.[1];
  return { scope: entry.source, folder: path.dirname(entry.folder), data, ...(entry.source === 'project' && project !== undefined ? { within: project } : {}) };
}

function foreign({ id, source, path: file }: SkillEntry, { name, scope }: Wish): string {
  const off = `To switch it off: skillmint skills disable ${id}`;
  if (source === 'bundled') return `it comes with skillmint. ${off}`;
  if (source === 'memory') return `the program that runs skillmint brings it. ${off}`;
  if (source.startsWith('plugin:')) return `it belongs to a plugin. ${off}`;
  if (source.startsWith('npm:')) return `it comes with the package ${source.slice('npm:'.length)} in node_modules. ${off}`;
  if (source === 'env') return `it lies in a folder that an environment variable names (${file}). ${off}`;
  if (source === 'project' && scope === 'user') return `it lies in the project (${file}). Say: --scope project`;
  return `it is not in the scope ${scope ?? 'user'} (${file}). Leave out --scope, or name ${name} there.`;
}

function ownButFixed({ id, source, folder, path: file }: SkillEntry, { home, data }: OwnPlaces): string | undefined {
  const usual = [...['.skillmint', '.agents', '.claude', '.synapse'].map((place) => path.join(home, place, 'skills')), path.join(data, 'skills')];
  const isUsual = source === 'project' || usual.some((root) => folder === root || folder.startsWith(root + path.sep));
  if (!isUsual) return `it lies in a folder of the setting skills.paths (${file}). Take the folder out of the setting, or: skillmint skills disable ${id}`;
  const isRoot = usual.includes(folder) || (source === 'project' && PLACE.exec(`${folder}/`)?.[0].replace(/[/\\]$/, '') === folder);
  return isRoot ? `it has no folder of its own; its SKILL.md lies among all skills (${file})` : undefined;
}
