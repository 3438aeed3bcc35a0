import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { pluginToInstall, type PluginInstall } from '../plugins/plugins-of.ts';
import { fileAt, sourceBase, type SourceSkills } from './find-skill-folders.ts';
import { parseSource } from './parse-source.ts';
import { isLocalKind } from './portable-source.ts';
import { refusal } from './refusal.ts';
import { pinSource, type SkillSource } from './skill-source.ts';

/** Which plugin of which fetched tree. */
export interface WantedPlugin {
  readonly tree: ReadTree;
  /** The fetched tree, absolute. */
  readonly root: string;
  /** What a person calls the source, for messages. */
  readonly source: string;
  readonly plugin: string;
}

/** The skills of a plugin, in the tree that was fetched or from another source. */
export type PluginSkills = { readonly kind: 'here'; readonly found: SourceSkills } | { readonly kind: 'elsewhere'; readonly source: SkillSource };

/** Finds the skills of one plugin. Throws `not_found`, `plugin_refused` and `install_refused`. */
export function pluginSkills(wanted: WantedPlugin): PluginSkills {
  const base = sourceBase(wanted.tree, wanted.root);
  const install = pluginOf(wanted, base);
  switch (install.kind) {
    case 'elsewhere': return { kind: 'elsewhere', source: sourceElsewhere(install, wanted) };
    case 'folders': {
      const skills = install.folders.map((folder) => ({
        folder,
        file: path.join(folder, fileAt(wanted.tree, folder) ?? 'SKILL.md'),
        path: path.relative(base, folder).split(path.sep).join('/'),
        folderName: folder === base ? wanted.plugin : path.basename(folder),
      }));
      return { kind: 'here', found: { skills, others: [], problems: install.problems.map(({ path: at, message }) => `${path.relative(base, at)}: ${message}`) } };
    }
  }
}

/** Messages speak of the source and not of the folder that it was fetched into. */
function pluginOf({ tree, source, plugin }: WantedPlugin, base: string): PluginInstall {
  try {
    return pluginToInstall(tree, base, plugin);
  } catch (error) {
    if (!(error instanceof SkillmintError)) throw error;
    throw new SkillmintError(error.code, `${source}: ${error.message.replaceAll(base + path.sep, '')}`, { cause: error });
  }
}

/** A stranger's text: it leads to the network only, and what it promises of the content must be checkable. */
function sourceElsewhere({ source: text, integrity }: Extract<PluginInstall, { readonly kind: 'elsewhere' }>, { source, plugin }: WantedPlugin): SkillSource {
  const other = parseSource(text, path.sep);
  const refused = (why: string): Error => refusal(`${source}: the plugin ${plugin} is refused: ${why}. Nothing was installed.`);
  if (isLocalKind(other.kind)) throw refused(`its source ${JSON.stringify(text)} is on this machine`);
  if (integrity === undefined) return other;
  if (other.kind !== 'archive') throw refused(`it gives a digest, but its source ${JSON.stringify(text)} is no archive`);
  return pinSource(other, { integrity });
}
