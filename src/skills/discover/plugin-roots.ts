import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import { pluginContents } from '../plugins/plugin-contents.ts';
import type { SkillProblem, SkillRoot } from './skill-root.ts';

/** A plugin that is installed, in its newest version. */
export interface InstalledPlugin {
  readonly name: string;
  readonly folder: string;
}

/** The newest version of each installed plugin: `~/.claude/plugins/cache/MARKETPLACE/PLUGIN/VERSION`. */
export function installedPlugins(tree: ReadTree, home: string): { readonly plugins: readonly InstalledPlugin[]; readonly problems: readonly SkillProblem[] } {
  const cache = path.join(home, '.claude', 'plugins', 'cache');
  const problems: SkillProblem[] = [];
  const folders = (at: string): string[] => subfolders(tree, at, problems);
  const plugins = folders(cache).flatMap((marketplace) =>
    folders(path.join(cache, marketplace)).flatMap((name): InstalledPlugin[] => {
      const at = path.join(cache, marketplace, name);
      const newest = newestVersion(folders(at), (version) => modified(tree, path.join(at, version)));
      return newest === undefined ? [] : [{ name, folder: path.join(at, newest) }];
    }),
  );
  return { plugins, problems };
}

/** Where the skills of installed plugins lie. */
export function pluginRoots(tree: ReadTree, home: string): { readonly roots: readonly SkillRoot[]; readonly problems: readonly SkillProblem[] } {
  const { plugins, problems } = installedPlugins(tree, home);
  const contents = plugins.map(({ name, folder }) => pluginContents(tree, { folder, source: `plugin:${name}` }));
  return { roots: contents.flatMap(({ roots }) => roots), problems: [...problems, ...contents.flatMap((one) => one.problems)] };
}

/** The highest version by number; where versions are no numbers (a commit), the one that was changed last. */
export function newestVersion(versions: readonly string[], modifiedMs: (version: string) => number): string | undefined {
  const numbered = versions.filter((version) => /^v?\d+(?:\.\d+)*(?:[-+].*)?$/.test(version));
  if (numbered.length > 0) return [...numbered].sort(compareVersions).at(-1);
  return [...versions].sort((a, b) => modifiedMs(a) - modifiedMs(b) || (a < b ? -1 : 1)).at(-1);
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < Math.max(left.numbers.length, right.numbers.length); i += 1) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.pre === right.pre) return 0;
  if (left.pre === '' || right.pre === '') return left.pre === '' ? 1 : -1;
  return left.pre.localeCompare(right.pre, 'en', { numeric: true });
}

function parts(version: string): { numbers: number[]; pre: string } {
  const [, numbers = '', pre = ''] = /^v?([\d.]+)(?:-([^+]*))?/.exec(version) ?? [];
  return { numbers: numbers.split('.').map(Number), pre };
}

function modified(tree: ReadTree, at: string): number {
  try {
    return tree.stat(at).mtimeMs;
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return 0;
  }
}

function subfolders(tree: ReadTree, at: string, problems: SkillProblem[]): string[] {
  try {
    return tree
      .list(at)
      .filter((entry) => (entry.kind === 'directory' || entry.kind === 'symlink') && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') problems.push({ path: at, message: messageOf(error) });
    return [];
  }
}
