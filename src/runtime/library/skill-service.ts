import path from 'node:path';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillSummary } from '../../protocol/skill.ts';
import { digestSkill } from '../../skills/digest.ts';
import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import { readBody } from '../../skills/discover/read-entry.ts';
import { resolveSkill } from '../../skills/discover/resolve-skill.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { listSkillFiles, readSkillFile, type SkillFile } from '../../skills/files.ts';
import { archiveKind, isSkillpack } from '../../skills/library/archive-kind.ts';
import { createSkill, type CreatedSkill, type NewSkill } from '../../skills/library/create.ts';
import { installSkills, type InstallResult } from '../../skills/library/install.ts';
import { parseSource } from '../../skills/library/parse-source.ts';
import { removeSkill } from '../../skills/library/remove.ts';
import type { TrustVerdict } from '../../skills/trust/trust-store.ts';
import { executeSkill, type ExecuteOptions, type SkillExecution } from '../execute/execute-skill.ts';
import { offeredSource } from '../mcp/offered-source.ts';
import type { RuntimeParts } from '../parts.ts';
import { findSkills } from '../skills/find-skills.ts';
import { skillFetcher } from '../skills/skill-fetcher.ts';
import { changeableSkill, libraryAround } from './changeable-skill.ts';
import { describeSkill } from './describe-skill.ts';
import { examine, verdictOf, type ExaminedSkill, type TrustHere } from './examined-skill.ts';
import { libraryOf, type Scope } from './library-of.ts';
import { listSkills, type ListedSkill } from './list-skills.ts';
import { entryNamed } from './named-skill.ts';
import { openPackUnasked } from './open-pack.ts';
import { revokeNow } from './revoke-now.ts';
import { switchSkill } from './switch-skill.ts';
import { trustCreated } from './trust-created.ts';
import { trustNow } from './trust-now.ts';

/** A skill with all that can be shown of it. */
export interface ShownSkill extends SkillSummary {
  readonly trust: TrustVerdict;
  readonly frontmatter: SkillEntry['frontmatter'];
  readonly diagnostics: SkillEntry['diagnostics'];
  readonly files: readonly SkillFile[];
  /** The instructions, without the head of the file. */
  readonly body: string;
}

/** A skill that fits a question; the higher the score, the better. */
export interface SkillHit extends Pick<SkillSummary, 'id' | 'name' | 'description'> {
  readonly score: number;
}

/** What was found for a question; `complete` is false while skills are read for the first time: asked again, more of them are there. */
export interface SkillHits {
  readonly skills: readonly SkillHit[];
  readonly complete: boolean;
}

/** What is to be installed: a source as on the command line, or a file that lies in a folder of the caller's and was named by its sender. */
export type InstallSource = { readonly source: string } | { readonly file: string; readonly name: string };

/** How it is installed. */
export interface InstallWish {
  readonly scope: Scope;
  readonly replace: boolean;
  /** Names of skills, where the source has several; all when left out. */
  readonly pick?: readonly string[];
  /** Who is expected to have signed a .skillpack. */
  readonly signer?: string;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

/** The skills of one folder, as a person manages them. Names are ids, or bare names where those are unique. Methods reject with `skill_not_found`. */
export interface SkillService {
  list(): Promise<readonly ListedSkill[]>;
  /** The best `k` for a question, best first. */
  search(query: string, k: number): Promise<SkillHits>;
  /** Looks at all skills anew; resolves to how many can be used. */
  refresh(): Promise<number>;
  show(name: string): Promise<ShownSkill>;
  /** The folder of a skill. */
  folder(name: string): Promise<string>;
  /** @throws SkillmintError path_refused, not_found, io */
  readFile(name: string, relative: string): Promise<Uint8Array>;
  /** Makes a skill of the person's own words, and trusts it. @throws SkillmintError usage, skill_exists */
  create(skill: NewSkill, scope: Scope): Promise<CreatedSkill & { readonly trusted: boolean }>;
  /** @throws SkillmintError install_refused, skill_exists, usage, and what fetching throws */
  install(from: InstallSource, wish: InstallWish): Promise<InstallResult>;
  /** @throws SkillmintError permission_denied for one that is not the person's to change */
  describe(name: string, description: string): Promise<void>;
  switch(name: string, enabled: boolean): Promise<void>;
  remove(name: string): Promise<void>;
  /** What a person decides by whether to trust a skill. */
  examine(name: string): Promise<ExaminedSkill>;
  /** Trusts a skill as it was examined. @throws SkillmintError not_trusted where it is another by now (`digest`), or cannot be checked as a whole */
  trust(name: string, digest: string): Promise<void>;
  /** Resolves to whether it was trusted. @throws SkillmintError not_trusted where the trust comes from somewhere else */
  revoke(name: string): Promise<boolean>;
  /** Runs a script. @throws as `executeSkill` */
  execute(name: string, args: readonly string[], options: Pick<ExecuteOptions, 'agreed' | 'onOutput' | 'script' | 'stdin' | 'timeoutMs' | 'signal'>): Promise<SkillExecution>;
}

/** The skills of a folder. */
export function skillService(parts: RuntimeParts, cwd: string): SkillService {
  const { tree } = parts.host;
  const settings = (): Promise<LoadedSettings> => parts.settings(cwd);
  const here: TrustHere = { tree, data: parts.dataFolder, cwd };
  const places = { home: parts.home, data: parts.dataFolder };
  const catalogue = async (digests = false): Promise<SkillCatalogue> => findSkills(cwd, { ...parts, tree, settings: await settings() }, { ...parts.skillViews.listing, digests });
  const refresh = async (): Promise<number> => (await parts.skillViews.refresh(cwd, await settings())).total;
  const named = async (name: string): Promise<SkillEntry> => entryNamed(name, resolveSkill(await catalogue(), name));
  const own = async (name: string, done: string): Promise<SkillEntry> => changeableSkill((await catalogue()).entries, { name, done }, places);
  return {
    refresh, examine: async (name) => examine(here, await named(name)),
    list: async () => listSkills(await catalogue(true), here, parts.now),
    search: async (query, k) => {
      const { view } = await parts.skillViews.open(cwd, await settings());
      const ranked = await view.rank(query, k);
      return { complete: view.complete, skills: ranked.filter(({ score }) => score > 0).map(({ entry: { id, name, description }, score }) => ({ id, name, description, score })) };
    },
    show: async (name) => shown(here, await named(name)),
    folder: async (name) => tree.realPath((await named(name)).folder),
    readFile: async (name, relative) => readSkillFile(tree, (await named(name)).folder, relative),
    async create(skill, scope) {
      const made = await createSkill(tree, libraryOf(scope, { cwd, data: parts.dataFolder }), skill);
      const trusted = await trustCreated(here, made, scope);
      await refresh();
      return { ...made, trusted };
    },
    async install(from, wish) {
      const result = await installed(parts, { cwd, settings: await settings() }, from, wish);
      await refresh();
      return result;
    },
    async describe(name, description) {
      await describeSkill(here, await own(name, 'changed'), description);
      await refresh();
    },
    async switch(name, enabled) {
      await switchSkill(await settings(), await named(name), enabled);
      parts.forgetSettings();
    },
    async remove(name) {
      const entry = await own(name, 'removed');
      await removeSkill(libraryAround(entry, parts.dataFolder), path.basename(entry.folder));
      await refresh();
    },
    async trust(name, digest) {
      const examined = await examine(here, await named(name));
      if (examined.report.digest !== digest) throw new SkillmintError('not_trusted', `${examined.skill.id} is not as it was when you looked at it: its digest is ${examined.report.digest} now. Look at it again.`);
      await trustNow(here, examined);
    },
    revoke: async (name) => revokeNow(here, await named(name)),
    async execute(name, args, options) {
      const { id } = await named(name);
      return executeSkill(id, args, { ...options, cwd, env: parts.env, home: parts.home, dataFolder: parts.dataFolder, host: parts.host, given: parts.given, sandbox: 'required', ...(parts.tenant ? { tenant: parts.tenant } : {}) });
    },
  };
}

async function shown(here: TrustHere, entry: SkillEntry): Promise<ShownSkill> {
  const { tree } = here;
  const { digest } = digestSkill(tree, entry.folder);
  const { id, name, description, source, status, reason, enabled, frontmatter, diagnostics } = entry;
  return {
    id, name, description, source, path: entry.path, status, ...(reason === undefined ? {} : { reason }), enabled, digest, frontmatter, diagnostics,
    trust: verdictOf(here, entry, digest),
    files: listSkillFiles(tree, entry.folder).files,
    body: entry.status === 'rejected' ? '' : await readBody(tree, entry),
  };
}

async function installed(parts: RuntimeParts, { cwd, settings }: { readonly cwd: string; readonly settings: LoadedSettings }, from: InstallSource, wish: InstallWish): Promise<InstallResult> {
  const { scope, replace, pick, signer, signal, progress } = wish;
  const data = parts.dataFolder;
  const fetch = skillFetcher({
    allow: settings.values.network.allow, env: parts.env, progress, signal,
    openPack: (file, to) => openPackUnasked(file, { to, data, signer }),
    fetchOffered: (source, temporary) => offeredSource(source, { ...parts, settings, cwd, temporary, signal }),
  });
  if ('file' in from) await requireArchive(from);
  return installSkills({
    tree: parts.host.tree, library: libraryOf(scope, { cwd, data }), replace, dryRun: false, now: parts.now, progress, signal,
    source: parseSource('file' in from ? from.file : from.source, cwd),
    pick: pick?.map((name) => ({ name })),
    fetch: async (source, temporary) => {
      const fetched = await fetch(source, temporary);
      return 'file' in from ? { ...fetched, provenance: { ...fetched.provenance, source: `upload:${from.name}` } } : fetched;
    },
  });
}


/** A file without an ending is judged by its content; one that is no archive would be taken for a folder. */
async function requireArchive({ file, name }: { readonly file: string; readonly name: string }): Promise<void> {
  if ((await archiveKind(file)) !== undefined || (await isSkillpack(file))) return;
  throw new SkillmintError('install_refused', `${name} is no archive that skills come in: it is neither a .zip nor a .tgz nor a .skillpack file.`);
}
