import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillProblem, SkillRoot } from '../discover/skill-root.ts';
import { walkSource } from '../discover/walk-source.ts';
import { mostSimilar } from '../../util/similar.ts';
import { readMarketplace, type Marketplace, type MarketplacePlugin } from './marketplace.ts';
import { pathInside } from './path-in-plugin.ts';
import { pluginContents } from './plugin-contents.ts';
import { readPluginManifest } from './plugin-manifest.ts';

/** How the skills of one plugin of a fetched tree are installed. */
export type PluginInstall =
  /** From these folders of the tree, absolute; each holds a SKILL.md. */
  | { readonly kind: 'folders'; readonly plugin: string; readonly folders: readonly string[]; readonly problems: readonly SkillProblem[] }
  /** By `skills install` of this source, whose archive has to have the digest (`sha256-` in base64) where one is given. */
  | { readonly kind: 'elsewhere'; readonly plugin: string; readonly source: string; readonly integrity?: string };

/** What a fetched tree offers as plugins: those of its marketplace, else itself where it is one, else none. Throws `plugin_refused` for a broken marketplace or plugin. */
function pluginsOf(tree: ReadTree, folder: string): Marketplace {
  const marketplace = readMarketplace(tree, folder);
  if (marketplace) return marketplace;
  const own = readPluginManifest(tree, folder);
  if (own.kind === 'broken') throw new SkillmintError('plugin_refused', `${own.path}: ${own.message}.`);
  const { form, name = path.basename(folder), version } = own.manifest;
  const itself: MarketplacePlugin = { name, description: '', version, source: { kind: 'inside', path: '' }, skills: [], complete: false };
  return { name, plugins: form === 'none' ? [] : [itself], problems: [] };
}

/**
 * Finds a plugin by name and tells how to install its skills. Throws `not_found` with the names that there are, and
 * `plugin_refused` where the plugin cannot be used or holds no skill.
 */
export function pluginToInstall(tree: ReadTree, folder: string, name: string): PluginInstall {
  const { plugins, problems } = pluginsOf(tree, folder);
  const plugin = plugins.find((each) => each.name === name);
  if (!plugin) throw missing(name, plugins, problems);
  const refused = (why: string): SkillmintError => new SkillmintError('plugin_refused', `The plugin ${name} cannot be installed: ${why}.`);
  switch (plugin.source.kind) {
    case 'refused': throw refused(plugin.source.why);
    case 'elsewhere': {
      const { source, integrity } = plugin.source;
      return { kind: 'elsewhere', plugin: name, source, ...(integrity === undefined ? {} : { integrity }) };
    }
    case 'inside': {
      const place = pathInside(tree, folder, plugin.source.path);
      if (place.kind === 'refused') throw refused(place.why);
      const found = skillFolders(tree, place.path, plugin);
      if (found.folders.length === 0) throw refused(found.problems[0] ? `${found.problems[0].path}: ${found.problems[0].message}` : 'it holds no skill');
      return { kind: 'folders', plugin: name, ...found };
    }
  }
}

function skillFolders(tree: ReadTree, folder: string, plugin: MarketplacePlugin): { readonly folders: readonly string[]; readonly problems: readonly SkillProblem[] } {
  const usual = plugin.complete ? { roots: [], problems: [] } : pluginContents(tree, { folder, source: '' });
  const problems = [...usual.problems];
  const named = plugin.skills.flatMap((given): SkillRoot[] => {
    const place = pathInside(tree, folder, given);
    if (place.kind === 'inside') return [{ folder: place.path, source: '', namedBy: undefined, pluginRoot: folder }];
    problems.push({ path: folder, message: place.why });
    return [];
  });
  const folders = new Set<string>();
  for (const root of [...usual.roots, ...named].filter(({ kind }) => kind === undefined)) {
    for (const step of walkSource(tree, root)) {
      if (step.kind === 'problem') problems.push(step.problem);
      if (step.kind === 'skill') folders.add(step.found.folder);
    }
  }
  return { folders: [...folders], problems };
}

function missing(name: string, plugins: readonly MarketplacePlugin[], problems: readonly SkillProblem[]): SkillmintError {
  const names = plugins.map((plugin) => plugin.name);
  const near = mostSimilar(name, names, 3);
  const offer = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : names.length > 0 ? ` There are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}.` : '';
  return new SkillmintError('not_found', `There is no plugin "${name}" here.${offer}${problems[0] ? ` (${problems[0].message})` : ''}`);
}
