import path from 'node:path';
import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import { isInside } from '../../host/paths.ts';
import { warning } from '../read/diagnostic.ts';
import type { SkillProblem, SkillRoot } from './skill-root.ts';

/** A part of a package's name, as npm allows it. Folders with other names are no packages. */
const NAME = /^[a-z0-9~-][a-z0-9._~-]*$/i;
/** What pnpm notes of where it keeps packages, as YAML or JSON, a line each. */
const STORE_LINE = /^"?(?:storeDir|virtualStoreDir)"?:\s*(\S.*)$/;
const LONGEST_NOTES = 8 * 1024 * 1024;

interface Found {
  readonly roots: SkillRoot[];
  readonly problems: SkillProblem[];
}

/**
 * The `skills` folders of the packages in the `node_modules` of these folders, in their order. Packages within packages are
 * not looked at. One listing for each `node_modules` and each scope, and one look at each package.
 */
export function npmRoots(tree: ReadTree, projects: readonly string[]): { readonly roots: readonly SkillRoot[]; readonly problems: readonly SkillProblem[] } {
  const found: Found = { roots: [], problems: [] };
  const places = projects.flatMap((project) => realFolder(tree, path.join(project, 'node_modules'), found));
  const modules = places.map(({ real }) => real);
  for (const { at, real } of places) {
    const packages = packagesIn(tree, at, found);
    const own = packages.flatMap((name) => realFolder(tree, path.join(at, name, 'skills'), found).map((skills) => ({ ...skills, name })));
    const leads = own.some((skills) => !within(modules, skills.real));
    const allowed = leads ? [...modules, ...storesOf(tree, { at, real }, found)] : modules;
    found.roots.push(...own.map((skills) => packageRoot(skills, allowed)));
  }
  return found;
}

interface Folder {
  readonly at: string;
  readonly real: string;
}

function packageRoot({ at, real, name }: Folder & { readonly name: string }, allowed: readonly string[]): SkillRoot {
  const outside = within(allowed, real) ? [] : [warning('link-outside', `${at} lies in ${real}, outside of node_modules: its package is a link`)];
  return { folder: at, source: `npm:${name}`, namedBy: undefined, nested: true, linksWithin: allowed, diagnostics: outside };
}

/** Names of the packages, with their scopes. */
function packagesIn(tree: ReadTree, folder: string, found: Found): readonly string[] {
  return folders(tree, folder, found).flatMap((name) => {
    if (!name.startsWith('@')) return NAME.test(name) ? [name] : [];
    if (!NAME.test(name.slice(1))) return [];
    return folders(tree, path.join(folder, name), found).flatMap((own) => (NAME.test(own) ? [`${name}/${own}`] : []));
  });
}

function folders(tree: ReadTree, at: string, { problems }: Found): readonly string[] {
  let entries: readonly FolderEntry[];
  try {
    entries = tree.list(at);
  } catch (error) {
    if (!isMissing(error)) problems.push({ path: at, message: `the packages in it cannot be searched for skills: ${messageOf(error)}` });
    return [];
  }
  return entries.flatMap(({ name, kind }) => (kind === 'directory' || kind === 'symlink' ? [name] : [])).sort();
}

/** The folder, if it is one. */
function realFolder(tree: ReadTree, at: string, { problems }: Found): readonly Folder[] {
  try {
    return tree.isFolder(at) ? [{ at, real: tree.realPath(at) }] : [];
  } catch (error) {
    if (!isMissing(error)) problems.push({ path: at, message: `this cannot be searched for skills: ${messageOf(error)}` });
    return [];
  }
}

/** Folders outside of `node_modules` in which pnpm keeps the packages that it links to. */
function storesOf(tree: ReadTree, { at, real }: Folder, { problems }: Found): readonly string[] {
  const file = path.join(at, '.modules.yaml');
  try {
    const { kind, size } = tree.stat(file);
    if (kind !== 'file' || size > LONGEST_NOTES) return [];
    const named = Buffer.from(tree.read(file)).toString().split('\n').flatMap((line) => STORE_LINE.exec(line.trim())?.[1] ?? []);
    return named.flatMap((value) => storeAt(tree, path.resolve(real, value.replace(/,$/, '').replaceAll(/^["']|["']$/g, ''))));
  } catch (error) {
    if (!isMissing(error)) problems.push({ path: file, message: `where pnpm keeps the packages cannot be read: ${messageOf(error)}` });
    return [];
  }
}

function storeAt(tree: ReadTree, folder: string): readonly string[] {
  try {
    return [tree.realPath(folder)];
  } catch (error) {
    // A store that cannot be reached holds nothing that a link leads to.
    if (systemCode(error) === '') throw error;
    return [];
  }
}

function within(allowed: readonly string[], real: string): boolean {
  return allowed.some((folder) => isInside(folder, real));
}

function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
