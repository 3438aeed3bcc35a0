import path from 'node:path';
import { isTrustedFolder, type LoadedSettings } from '../config/load-settings.ts';
import type { HostFiles, ReadTree } from '../host/host.ts';
import type { SkillCatalogue } from '../skills/discover/catalogue.ts';
import { discoverSkills } from '../skills/discover/discover-skills.ts';
import { openSkillCache } from '../skills/discover/skill-cache.ts';
import { VERSION } from '../version.ts';

/** Where skills are looked for. */
export interface LibraryParts {
  readonly tree: ReadTree;
  /** For keeping in the data folder what was read. */
  readonly files: Pick<HostFiles, 'write' | 'remove'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dataFolder: string;
  readonly bundledFolder: string;
  readonly settings: LoadedSettings;
  /** ms since 1970. */
  readonly now: () => number;
}

/** The skills that a session in `cwd` can use; with their digests where those are to be shown. */
export async function findSkills(cwd: string, parts: LibraryParts, { digests = false }: { readonly digests?: boolean } = {}): Promise<SkillCatalogue> {
  const { values } = parts.settings;
  const { tree, files, now } = parts;
  return discoverSkills({
    tree,
    cwd,
    home: parts.home,
    dataFolder: parts.dataFolder,
    env: parts.env,
    settingsPaths: values.skills.paths,
    bundledFolder: parts.bundledFolder,
    trusted: (folder) => isTrustedFolder(parts.tree, folder, values.trustedFolders),
    disabled: new Set(Object.entries(values.skills.enabled).flatMap(([id, enabled]) => (enabled ? [] : [id]))),
    denied: await denials(values.permissions.deny, parts.home),
    now,
    cache: openSkillCache({ tree, files, folder: path.join(parts.dataFolder, 'cache', 'skills'), program: VERSION, now }),
    digests,
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
