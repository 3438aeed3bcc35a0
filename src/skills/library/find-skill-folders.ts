import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { digestSkill } from '../digest.ts';
import { walkRoot } from '../discover/walk-root.ts';
import { isInside } from '../../host/paths.ts';
import { readMarketplace } from '../plugins/marketplace.ts';
import { isLeftOut } from './entry-path.ts';
import { listText, refusal } from './refusal.ts';

/** A skill inside of a source. */
export interface SourceSkill {
  /** Absolute. */
  readonly folder: string;
  /** Its SKILL.md, absolute, in whatever letter case. */
  readonly file: string;
  /** From the first folder of the source that holds more than one other, with `/`; empty for that folder itself. */
  readonly path: string;
  /** What its folder is called, or would be. */
  readonly folderName: string;
}

/** Where to look. */
export interface FindOptions {
  readonly tree: ReadTree;
  /** The fetched tree, absolute. */
  readonly root: string;
  /** What a person calls the source, for messages. */
  readonly source: string;
  /** Whether a SKILL.md at the root is a skill: its folder's name then, or how to repack the source. */
  readonly atRoot: { readonly name: string } | { readonly refuse: string };
}

/** The skills of a source. `others`: those in places where repositories keep tests and templates; `problems`: what could not be searched. */
export interface SourceSkills {
  readonly skills: readonly SourceSkill[];
  readonly others: readonly SourceSkill[];
  readonly problems: readonly string[];
}

/** Where repositories, packages and plugins keep the skills that are meant for others. */
const USUAL_PLACES = /^(?:(?:plugins|external_plugins|packages)\/[^/]+\/)?(?:\.[^/]+\/)?skills\//;
const MOST_WRAPPERS = 3;

/** Finds the skills of a source. Throws `install_refused` when there is none, and names the plugins if it offers those instead. */
export function findSkillFolders(options: FindOptions): SourceSkills {
  const { tree, source } = options;
  const base = sourceBase(tree, options.root);
  if (base === options.root && 'refuse' in options.atRoot && fileAt(tree, base) !== undefined) throw refusal(`${source} is refused: ${options.atRoot.refuse}. Nothing was installed.`);
  const { found, problems } = search(options, base);
  if (found.length === 0) throw refusal(`${source} is refused: it holds no SKILL.md${problems.length > 0 ? ` (${problems[0]})` : ''}. ${offerText(tree, base)}Nothing was installed.`);
  const usual = found.filter((skill) => USUAL_PLACES.test(`${skill.path}/`));
  const inSkills = found.filter((skill) => /(?:^|\/)skills\//.test(skill.path));
  const chosen = [usual, inSkills, found].find((group) => group.length > 0) ?? found;
  return { skills: withoutMirrors(tree, chosen), others: found.filter((skill) => !chosen.includes(skill)), problems };
}

function search(options: FindOptions, base: string): { readonly found: readonly SourceSkill[]; readonly problems: readonly string[] } {
  const { tree, root } = options;
  const own = fileAt(tree, base);
  if (own !== undefined) return { found: [skillAt(options, base, { folder: base, file: path.join(base, own) })], problems: [] };
  const found: SourceSkill[] = [];
  const problems: string[] = [];
  for (const step of walkRoot(tree, { folder: base, source: '', namedBy: undefined })) {
    if (step.kind === 'problem') problems.push(`${relative(root, step.problem.path)}: ${step.problem.message}`);
    if (step.kind !== 'skill') continue;
    const { folder, realFolder, file } = step.found;
    if (isInside(tree.realPath(root), realFolder)) found.push(skillAt(options, base, { folder, file }));
    else problems.push(`${relative(root, folder)} is a link that leads out of the source`);
  }
  return { found, problems };
}

function skillAt({ root, atRoot }: FindOptions, base: string, { folder, file }: { readonly folder: string; readonly file: string }): SourceSkill {
  const name = folder === root && 'name' in atRoot ? atRoot.name : path.basename(folder);
  return { folder, file, path: relative(base, folder), folderName: name };
}

/** Where a source begins: the first folder inside that holds more than one other folder: archives of repositories and packages are wrapped in one. */
export function sourceBase(tree: ReadTree, root: string): string {
  let at = root;
  for (let i = 0; i < MOST_WRAPPERS; i += 1) {
    const entries = tree.list(at).filter(({ name }) => !isLeftOut(name));
    const [only] = entries;
    if (only?.kind !== 'directory' || entries.length !== 1 || only.name === 'skills' || only.name.startsWith('.')) return at;
    at = path.join(at, only.name);
    if (fileAt(tree, at) !== undefined) return at;
  }
  return at;
}

/** Name of the SKILL.md of a folder, the exact spelling first; undefined where there is none. */
export function fileAt(tree: ReadTree, folder: string): string | undefined {
  const names = tree.list(folder).filter(({ name, kind }) => kind !== 'directory' && /^skill\.md$/i.test(name)).map(({ name }) => name);
  return names.includes('SKILL.md') ? 'SKILL.md' : names.toSorted()[0];
}

/** A source without skills may be a marketplace, whose plugins lie elsewhere. */
function offerText(tree: ReadTree, base: string): string {
  const { plugins } = readMarketplace(tree, base) ?? { plugins: [] };
  return plugins.length === 0 ? '' : `It offers plugins, which are installed with --plugin NAME: ${listText(plugins.map(({ name }) => name))}. `;
}

/** Repositories keep one skill in several places for several programs; the first of those with the same content stands for all. */
function withoutMirrors(tree: ReadTree, skills: readonly SourceSkill[]): readonly SourceSkill[] {
  if (new Set(skills.map(({ folderName }) => folderName)).size === skills.length) return skills;
  const seen = new Set<string>();
  return skills.filter((skill) => {
    const key = `${skill.folderName} ${digestSkill(tree, skill.folder).digest}`;
    return !seen.has(key) && seen.add(key);
  });
}

function relative(root: string, at: string): string {
  return path.relative(root, at).split(path.sep).join('/');
}
