import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { installedPlugins } from '../discover/plugin-roots.ts';
import { readJsonObject } from './json-object.ts';
import { readPluginManifest } from './plugin-manifest.ts';

const MOST_BYTES = 1024 * 1024;

/** Names of the installed plugins that bring hooks. These never run: trust is in single skills, and the files that hooks run lie beside them. */
export function pluginsWithHooks(tree: ReadTree, home: string): readonly string[] {
  return installedPlugins(tree, home).plugins.filter(({ folder }) => hasHooks(tree, folder)).map(({ name }) => name);
}

function hasHooks(tree: ReadTree, folder: string): boolean {
  const read = readPluginManifest(tree, folder);
  if (read.kind === 'broken' || read.manifest.form === 'agent') return false;
  return read.manifest.namesHooks || readJsonObject(tree, path.join(folder, 'hooks', 'hooks.json'), MOST_BYTES).kind !== 'none';
}
