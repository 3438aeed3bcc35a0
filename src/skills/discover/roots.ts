import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { systemCode } from '../../protocol/errors.ts';
import { npmRoots } from './npm-roots.ts';
import { pluginRoots } from './plugin-roots.ts';
import type { SkillProblem, SkillRoot } from './skill-root.ts';

/** Where to look; all paths absolute. */
export interface RootOptions {
  readonly tree: ReadTree;
  /** The session's folder. */
  readonly cwd: string;
  /** Further folders of the session. */
  readonly addDirs?: readonly string[];
  readonly home: string;
  /** The program's own data folder. */
  readonly dataFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders from the settings `skills.paths`. */
  readonly settingsPaths?: readonly string[];
  /** Packages of the project are looked into, too. */
  readonly npm?: boolean;
  /** Roots that the caller brings; they come first. */
  readonly givenRoots?: readonly SkillRoot[];
  /** The folder of the skills that come with the program. */
  readonly bundledFolder?: string;
  /** Whether the skills of this folder above the repository may be seen; false for all when left out. */
  readonly trusted?: (folder: string) => boolean;
}

const PLACES = ['.skillmint', '.agents', '.claude'] as const;
const ENV_NAMES = ['CLAUDE_SKILLS_DIR', 'SKILLMINT_SKILLS_PATH'] as const;

/** All roots in the order of their precedence. Later ones lose a bare name to earlier ones. */
export function skillRoots(options: RootOptions): { readonly roots: readonly SkillRoot[]; readonly problems: readonly SkillProblem[] } {
  const usual = (folder: string, source: string): SkillRoot => ({ folder, source, namedBy: undefined, holdsPlugins: true });
  const commands = (folder: string, source: string): SkillRoot => ({ folder: path.join(folder, '.claude', 'commands'), source, namedBy: undefined, kind: 'commands' });
  const { projects: own, inRepository } = projectFolders(options);
  const projects = [...new Set([...own, ...(options.addDirs ?? []).flatMap((cwd) => projectFolders({ ...options, cwd }).projects)])];
  const plugins = pluginRoots(options.tree, options.home);
  const packages = options.npm === true ? npmRoots(options.tree, inRepository) : { roots: [], problems: [] };
  const roots = [
    ...(options.givenRoots ?? []),
    ...projects.flatMap((folder) => PLACES.map((place) => usual(path.join(folder, place, 'skills'), 'project'))),
    ...projects.map((folder) => commands(folder, 'project')),
    ...PLACES.map((place) => usual(path.join(options.home, place, 'skills'), 'user')),
    usual(path.join(options.dataFolder, 'skills'), 'user'),
    usual(path.join(options.home, '.synapse', 'skills'), 'user'),
    commands(options.home, 'user'),
    ...ENV_NAMES.flatMap((name) => listed(options.env[name], options).map((folder) => ({ folder, source: 'env', namedBy: name }))),
    ...(options.settingsPaths ?? []).map((folder) => ({ folder: absolute(folder, options), source: 'user', namedBy: 'the setting skills.paths' })),
    ...plugins.roots,
    ...packages.roots,
    ...(options.bundledFolder === undefined ? [] : [usual(options.bundledFolder, 'bundled')]),
  ];
  return { roots: withoutRepeats(roots), problems: [...plugins.problems, ...packages.problems] };
}

/** The session's folder and those above it: up to the repository's, beyond it the trusted ones. Home is the user's place. */
export function projectFolders({ tree, cwd, home, trusted = () => false }: Pick<RootOptions, 'tree' | 'cwd' | 'home' | 'trusted'>): { readonly projects: readonly string[]; readonly inRepository: readonly string[] } {
  const chain: string[] = [];
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    chain.push(folder);
    if (path.dirname(folder) === folder) break;
  }
  const repository = chain.findIndex((folder) => exists(tree, path.join(folder, '.git')));
  const inside = Math.max(repository, 0);
  const notHome = (folder: string): boolean => folder !== path.resolve(home);
  return {
    projects: chain.filter((folder, i) => notHome(folder) && (i <= inside || trusted(folder))),
    inRepository: chain.slice(0, inside + 1).filter(notHome),
  };
}

function exists(tree: ReadTree, at: string): boolean {
  try {
    tree.stat(at);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR';
  }
}

function listed(value: string | undefined, options: RootOptions): string[] {
  return (value ?? '').split(path.delimiter).map((part) => part.trim()).filter((part) => part !== '').map((part) => absolute(part, options));
}

function absolute(folder: string, { cwd, home }: RootOptions): string {
  return path.resolve(cwd, folder === '~' || /^~[/\\]/.test(folder) ? path.join(home, folder.slice(1)) : folder);
}

function withoutRepeats(roots: readonly SkillRoot[]): SkillRoot[] {
  const seen = new Set<string>();
  return roots.filter((root) => !seen.has(root.folder) && seen.add(root.folder));
}
