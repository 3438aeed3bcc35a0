import path from 'node:path';
import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { systemCode } from '../../protocol/errors.ts';
import type { SkillProblem, SkillRoot } from '../discover/skill-root.ts';
import { warning } from '../read/diagnostic.ts';
import { pathInside } from './path-in-plugin.ts';
import { readPluginManifest, type PluginManifest } from './plugin-manifest.ts';

/** Where the skills and commands of a plugin lie. */
export interface PluginContents {
  readonly roots: readonly SkillRoot[];
  readonly problems: readonly SkillProblem[];
}

/** A plugin as it was found. */
export interface PluginPlace {
  readonly folder: string;
  /** Of its skills, as in their ids. */
  readonly source: string;
  /** Stands before the names of its commands. */
  readonly prefix?: string;
}

/** What the places of a plugin are made with. */
interface Plugin extends PluginPlace {
  readonly tree: ReadTree;
  readonly manifest: PluginManifest;
  readonly problems: SkillProblem[];
}

/**
 * Looks into the plugin in a folder. A manifest that is broken makes the whole plugin a problem; a path that leads out of it
 * is one by itself, and the rest counts. Runs and loads nothing.
 */
export function pluginContents(tree: ReadTree, place: PluginPlace): PluginContents {
  const read = readPluginManifest(tree, place.folder);
  if (read.kind === 'broken') return { roots: [], problems: [{ path: read.path, message: read.message }] };
  const plugin: Plugin = { ...place, tree, manifest: read.manifest, problems: [] };
  const roots = read.manifest.form === 'agent' ? agentRoots(plugin) : claudeRoots(plugin);
  return { roots, problems: plugin.problems };
}

/** `skills/` and what the manifest adds; a SKILL.md beside them; commands. */
function claudeRoots(plugin: Plugin): readonly SkillRoot[] {
  const { folder, manifest } = plugin;
  const own = hasSkillFile(entriesOf(plugin.tree, folder)) ? [rootAt(plugin, folder)] : [];
  const commands = manifest.commands === undefined ? [path.join(folder, 'commands')] : placesOf(plugin, manifest.commands);
  const skills = [path.join(folder, 'skills'), ...placesOf(plugin, manifest.skills)];
  return [...own, ...[...new Set(skills)].map((at) => rootAt(plugin, at)), ...commands.map((at): SkillRoot => ({ ...rootAt(plugin, at), kind: 'commands', ...(plugin.prefix === undefined ? {} : { prefix: plugin.prefix }) }))];
}

/** Only what lies directly in `skills/`, and has a SKILL.md. */
function agentRoots(plugin: Plugin): readonly SkillRoot[] {
  const skills = path.join(plugin.folder, 'skills');
  const names = entriesOf(plugin.tree, skills).filter(({ kind }) => kind !== 'file').map(({ name }) => name).sort();
  return names.map((name) => path.join(skills, name)).filter((at) => hasSkillFile(entriesOf(plugin.tree, at))).map((at) => rootAt(plugin, at));
}

function rootAt({ folder: pluginRoot, source, manifest }: Plugin, folder: string): SkillRoot {
  const diagnostics = manifest.unknown.map((key) => warning('plugin-field', `${manifest.file} has the field ${JSON.stringify(key)}, which means nothing here`));
  return { folder, source, namedBy: undefined, pluginRoot, ...(diagnostics.length > 0 ? { diagnostics } : {}) };
}

function placesOf({ tree, folder, manifest, problems }: Plugin, given: readonly string[]): readonly string[] {
  return given.flatMap((each) => {
    const place = pathInside(tree, folder, each);
    if (place.kind === 'inside') return [place.path];
    problems.push({ path: manifest.file, message: place.why });
    return [];
  });
}

function hasSkillFile(entries: readonly FolderEntry[]): boolean {
  return entries.some(({ name, kind }) => kind !== 'directory' && name.toLowerCase() === 'skill.md');
}

/** None where there is no such folder; one that cannot be read is a problem of whoever walks it. */
function entriesOf(tree: ReadTree, folder: string): readonly FolderEntry[] {
  try {
    return tree.list(folder);
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return [];
  }
}
