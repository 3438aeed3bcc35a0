import path from 'node:path';
import { isTrustedFolder, type LoadedSettings } from '../config/load-settings.ts';
import type { ReadTree } from '../host/host.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { SkillCatalogue, Visibility } from '../skills/discover/catalogue.ts';
import { discoverSkills } from '../skills/discover/discover-skills.ts';
import { skillRoots, type RootOptions } from '../skills/discover/roots.ts';
import { openRootFolder } from '../skills/discover/walk-root.ts';
import type { OpenRoot } from '../skills/index/index-root.ts';
import type { IndexStore } from '../skills/index/index-store.ts';
import { listingCache, notKept } from '../skills/index/listing-cache.ts';
import { rootKey } from '../skills/index/root-key.ts';
import { openLasting } from '../skills/index/open-index-file.ts';
import { sqliteIndexStore } from '../skills/index/sqlite-index-store.ts';
import type { IndexProgress } from '../skills/index/work-on-roots.ts';
import { VERSION } from '../version.ts';

/** Where skills are looked for. */
export interface LibraryParts {
  readonly tree: ReadTree;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dataFolder: string;
  readonly bundledFolder: string;
  readonly settings: LoadedSettings;
  /** ms since 1970. */
  readonly now: () => number;
}

/** How skills are listed. */
export interface FindOptions {
  /** Every entry gets its digest. */
  readonly digests?: boolean;
  /** An index that is open already. */
  readonly store?: IndexStore;
  /** Neither reads nor writes the index. */
  readonly withoutIndex?: boolean;
  /** Called while skills are read for the first time. */
  readonly progress?: (progress: IndexProgress) => void;
}

/** File of the skill index in a data folder. */
export function indexFile(dataFolder: string): string {
  return path.join(dataFolder, 'cache', 'skills.db');
}

/** All skills that a session in `cwd` can use, or cannot use and why, each compared with its files. */
export async function findSkills(cwd: string, parts: LibraryParts, options: FindOptions = {}): Promise<SkillCatalogue> {
  const search = { ...(await viewSources(cwd, parts)), now: parts.now, digests: options.digests === true };
  if (options.withoutIndex) return discoverSkills(search);
  const file = indexFile(parts.dataFolder);
  if (options.store) return discoverWith(search, options.store, { ...options, file });
  try {
    const opened = openLasting(file);
    try {
      return await discoverWith(search, sqliteIndexStore(opened.db, VERSION), { ...options, file });
    } finally {
      opened.close();
    }
  } catch (error) {
    if (!(error instanceof SkillmintError)) throw error;
    return { ...(await discoverSkills(search)), notKept: notKept(file, error) };
  }
}

/** Roots and visibility of the skills of a folder. `visibilityKey` stands for all that the latter was made from. */
export async function viewSources(cwd: string, parts: LibraryParts): Promise<RootOptions & Visibility & { readonly visibilityKey: string }> {
  const { values } = parts.settings;
  const disabled = Object.entries(values.skills.enabled).flatMap(([id, enabled]) => (enabled ? [] : [id]));
  return {
    tree: parts.tree,
    cwd,
    home: parts.home,
    dataFolder: parts.dataFolder,
    env: parts.env,
    settingsPaths: values.skills.paths,
    bundledFolder: parts.bundledFolder,
    trusted: (folder) => isTrustedFolder(parts.tree, folder, values.trustedFolders),
    disabled: new Set(disabled),
    denied: await denials(values.permissions.deny, parts.home),
    visibilityKey: JSON.stringify([disabled, values.permissions.deny]),
  };
}

type Search = RootOptions & Visibility & { readonly now: () => number; readonly digests: boolean };

/** Roots that were never read are indexed first: in steps, so that many do not have to be in memory at once. */
async function discoverWith(search: Search, store: IndexStore, { file, progress }: FindOptions & { readonly file: string }): Promise<SkillCatalogue> {
  const { tree, now } = search;
  const unread = unreadRoots(search, store);
  if (unread.length > 0) {
    const { fillRoots } = await import('../skills/index/work-on-roots.ts');
    await fillRoots({ store, tree, now, worker: `listing ${process.pid}` }, unread, { progress });
  }
  return discoverSkills({ ...search, cache: listingCache({ store, file, tree, now }) });
}

function unreadRoots(search: Search, store: IndexStore): readonly OpenRoot[] {
  const { roots } = skillRoots(search);
  const known = new Map(store.roots(roots.map(rootKey)).map((record) => [record.key, record]));
  return roots.flatMap((root) => {
    if (known.get(rootKey(root))?.complete === true) return [];
    const start = openRootFolder(search.tree, root);
    return 'problem' in start ? [] : [{ root, real: start.real, record: known.get(rootKey(root)) ?? store.openRoot(rootKey(root), search.now()) }];
  });
}

/** Says which rule denies a skill. The rules are loaded only where there are any. */
async function denials(rules: readonly string[], home: string): Promise<(skill: { readonly name: string }) => string | undefined> {
  if (rules.length === 0) return () => undefined;
  const [{ meets }, { parseRules }] = await Promise.all([import('../permissions/rule-match.ts'), import('../permissions/rules.ts')]);
  const { deny } = parseRules({ allow: [], ask: [], deny: rules }).rules;
  const workspace = { roots: [], readableRoots: [], home };
  return ({ name }) => {
    const rule = deny.find((one) => meets(one, { tool: 'Skill', need: { action: 'skill', skill: name }, place: undefined, heads: undefined, workspace }) === 'certain');
    return rule && `the rule ${rule.text} denies it`;
  };
}
