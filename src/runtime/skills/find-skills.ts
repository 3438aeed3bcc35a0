import path from 'node:path';
import { isTrustedFolder, type LoadedSettings } from '../../config/load-settings.ts';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import type { GivenSkills } from '../embed/given-skill.ts';
import { withOwnFields, type OwnFields } from '../embed/own-fields.ts';
import type { SkillCatalogue, Visibility } from '../../skills/discover/catalogue.ts';
import { discoverSkills } from '../../skills/discover/discover-skills.ts';
import type { RootOptions } from '../../skills/discover/roots.ts';
import { openSkillCache } from '../../skills/discover/skill-cache.ts';
import { VERSION } from '../../version.ts';

/** Where skills are looked for. */
export interface LibraryParts {
  readonly tree: ReadTree;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dataFolder: string;
  readonly bundledFolder: string;
  readonly settings: LoadedSettings;
  /** Further folders of the session, beside those of the settings. */
  readonly addDirs?: readonly string[];
  /** Skills of the embedding program. */
  readonly given?: GivenSkills | undefined;
  readonly ownFields?: OwnFields | undefined;
  /** ms since 1970. */
  readonly now: () => number;
}

/** How skills are listed. */
export interface FindOptions {
  /** Every entry gets its digest. */
  readonly digests?: boolean;
  /** For keeping in the data folder what was read; nothing is kept, or taken from there, when left out. */
  readonly files?: Pick<HostFiles, 'write' | 'remove'>;
  /** Called now and then with the number of skills that were read so far. */
  readonly progress?: (done: number) => void;
}

/** File of the skill index in a data folder. */
export function indexFile(dataFolder: string): string {
  return path.join(dataFolder, 'cache', 'skills.db');
}

/** All skills that a session in `cwd` can use, or cannot use and why, each compared with its files. */
export async function findSkills(cwd: string, parts: LibraryParts, { digests = false, files, progress }: FindOptions = {}): Promise<SkillCatalogue> {
  const { tree, now } = parts;
  const catalogue = await discoverSkills({
    ...(await viewSources(cwd, parts)),
    now,
    digests,
    ...(files ? { cache: openSkillCache({ tree, files, folder: path.join(parts.dataFolder, 'cache', 'skills'), program: VERSION, now }) } : {}),
    ...(progress ? { progress } : {}),
  });
  return withOwnFields(catalogue, parts.ownFields);
}

/** Roots and visibility of the skills of a folder. `visibilityKey` stands for all that the latter was made from. */
export async function viewSources(cwd: string, parts: LibraryParts): Promise<RootOptions & Visibility & { readonly visibilityKey: string }> {
  const { values } = parts.settings;
  const disabled = Object.entries(values.skills.enabled).flatMap(([id, enabled]) => (enabled ? [] : [id]));
  return {
    tree: parts.tree,
    cwd,
    addDirs: [...values.addDirs, ...(parts.addDirs ?? [])],
    ...(parts.given ? { givenRoots: await parts.given.roots(cwd) } : {}),
    home: parts.home,
    dataFolder: parts.dataFolder,
    env: parts.env,
    settingsPaths: values.skills.paths,
    npm: values.skills.npm,
    bundledFolder: parts.bundledFolder,
    trusted: (folder) => isTrustedFolder(parts.tree, folder, values.trustedFolders),
    disabled: new Set(disabled),
    denied: await denials(values.permissions.deny, parts.home),
    offersMeta: values.skills.offerMeta,
    visibilityKey: JSON.stringify([disabled, values.permissions.deny, values.skills.offerMeta]),
  };
}

/** Says which rule denies a skill. The rules are loaded only where there are any. */
async function denials(rules: readonly string[], home: string): Promise<(skill: { readonly id: string; readonly name: string }) => string | undefined> {
  if (rules.length === 0) return () => undefined;
  const [{ meets }, { parseRules }] = await Promise.all([import('../../permissions/rule-match.ts'), import('../../permissions/rules.ts')]);
  const { deny } = parseRules({ allow: [], ask: [], deny: rules }).rules;
  const workspace = { roots: [], readableRoots: [], home };
  return ({ id, name }) => {
    const rule = deny.find((one) => meets(one, { tool: 'Skill', need: { action: 'skill', skill: name, id }, place: undefined, workspace }) === 'certain');
    return rule && `the rule ${rule.text} denies it`;
  };
}
