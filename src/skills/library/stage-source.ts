import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { never } from '../../util/never.ts';
import type { SkillDocument } from '../read/read-skill-md.ts';
import { archiveKind } from './archive-kind.ts';
import { allOf, pickSkills, readSkills, type NamedSkill, type PickedSkill } from './choose-skills.ts';
import { copyFolder } from './copy-folder.ts';
import type { FetchedSource } from './fetched-source.ts';
import { findSkillFolders, type FindOptions, type SourceSkills } from './find-skill-folders.ts';
import { lockFiles, type LockEntry } from './lock-file.ts';
import { pluginSkills } from './plugin-skills.ts';
import { listText } from './refusal.ts';
import { sourceText, type Provenance, type SkillSource } from './skill-source.ts';
import { stagedFolder } from './work-folder.ts';

/** What staging works with. */
export interface StageOptions {
  readonly tree: ReadTree;
  /** Folder that the caller removes afterwards, absolute. */
  readonly workspace: string;
  /** Gets a source; what it fetches lies in the empty folder `temporary`. */
  readonly fetch: (source: SkillSource, temporary: string) => Promise<FetchedSource>;
  /** Only the skills of this plugin of the source. */
  readonly plugin?: string | undefined;
  /** Only these; all when left out. */
  readonly pick?: readonly PickedSkill[] | undefined;
  readonly progress: (line: string) => void;
  /** Ends the work between two steps. */
  readonly signal?: AbortSignal | undefined;
}

/** A skill of a source, complete and checked, in a folder that can be moved into place. */
export interface StagedSkill extends Pick<LockEntry, 'digest' | 'files' | 'path'> {
  readonly name: string;
  readonly folder: string;
  readonly document: SkillDocument;
  readonly warnings: readonly string[];
}

/** What a source gave. `notes` is what a person should know of the rest of it. */
export interface StagedSource {
  readonly provenance: Provenance;
  readonly skills: readonly StagedSkill[];
  readonly notes: readonly string[];
}

const REPACK = 'SKILL.md lies at the root of the archive, but each skill needs a folder of its own. Repack it: put all its files into a folder with the name of the skill and pack that folder (zip -r my-skill.zip my-skill)';

/**
 * Fetches and unpacks a source into the workspace, checks its skills, and says what it gave. No code of it runs. A plugin of a
 * marketplace may lie in another source, which is fetched in its place. Throws `install_refused`, `plugin_refused`,
 * `not_found`, `io`, `interrupted`, and what fetching throws.
 */
export async function stageSource(source: SkillSource, options: StageOptions): Promise<StagedSource> {
  const label = sourceText(source);
  const { fetched, root } = await fetchInto(source, options);
  const { tree, plugin } = options;
  options.progress(`looking for skills in ${label}`);
  if (plugin === undefined) return stageFound(findSkillFolders({ tree, root, source: label, atRoot: atRoot(source, fetched) }), { fetched, root, label, options });
  const ofPlugin = pluginSkills({ tree, root, source: label, plugin });
  switch (ofPlugin.kind) {
    case 'elsewhere': return stageSource(ofPlugin.source, { ...options, plugin: undefined });
    case 'here': return stageFound(ofPlugin.found, { fetched: { ...fetched, provenance: { ...fetched.provenance, plugin } }, root, label, options });
  }
}

interface Opened {
  readonly fetched: FetchedSource;
  /** What was fetched, unpacked. */
  readonly root: string;
}

/** Each source has folders of its own in the workspace. */
async function fetchInto(source: SkillSource, { workspace, fetch, progress }: StageOptions): Promise<Opened> {
  await fs.mkdir(stagedFolder(workspace), { recursive: true });
  const fetched = await fetch(source, await fs.mkdtemp(path.join(workspace, 'fetched-')));
  if (fetched.folder !== undefined) return { fetched, root: fetched.folder };
  const label = sourceText(source);
  if (fetched.archive === undefined) throw new SkillmintError('io', `${label} could not be fetched: nothing came. Nothing was installed.`);
  const into = await fs.mkdtemp(path.join(workspace, 'unpacked-'));
  progress(`unpacking ${label}`);
  const unpack = (await archiveKind(fetched.archive)) === 'tgz' ? (await import('./unpack-tar.ts')).unpackTar : (await import('./unpack-zip.ts')).unpackZip;
  await unpack(fetched.archive, into);
  const isPackage = fetched.provenance.kind === 'npm' && (await fs.readdir(into)).includes('package');
  return { fetched, root: isPackage ? path.join(into, 'package') : into };
}

async function stageFound(found: SourceSkills, { fetched, root, label, options }: Opened & { readonly label: string; readonly options: StageOptions }): Promise<StagedSource> {
  const { tree, workspace, pick, signal } = options;
  const read = await readSkills(tree, found.skills);
  const picked = pick === undefined ? allOf(read, label) : pickSkills([read, await readSkills(tree, found.others)], pick, label);
  const skills: StagedSkill[] = [];
  for (const skill of picked) {
    if (signal?.aborted) throw new SkillmintError('interrupted', 'Interrupted; nothing was installed.');
    skills.push(await place(skill, { tree, workspace, within: root, moved: isOurs(fetched) }));
  }
  const leftOut = pick === undefined ? read.faults.map(({ error }) => error.message) : [];
  const others = pick === undefined && found.others.length > 0 ? [`left out, since most skills of the source lie in another place: ${listText(found.others.map((skill) => skill.path))}; take one by --skill`] : [];
  return { provenance: fetched.provenance, skills, notes: [...leftOut, ...found.problems, ...others] };
}

/** What was unpacked was checked then, and is moved as it is. The skills of a plugin may lie in one another. */
function isOurs({ archive, provenance }: FetchedSource): boolean {
  return (archive !== undefined || provenance.kind === 'skillpack') && provenance.plugin === undefined;
}

/** What a SKILL.md at the root means: in a folder, a repository or a package it is the skill; an archive must have a folder for it. */
function atRoot(source: SkillSource, { archive, folder, skill }: FetchedSource): FindOptions['atRoot'] {
  switch (source.kind) {
    case 'folder':
    case 'zip':
    case 'skillpack':
    case 'archive': return archive === undefined ? { name: path.basename(folder ?? source.kind) } : { refuse: REPACK };
    case 'git': return { name: path.posix.basename(source.path ?? new URL(source.url).pathname).replace(/\.git$/, '') };
    case 'github': return { name: path.posix.basename(source.path ?? source.repo) };
    case 'npm': return { name: path.posix.basename(source.package) };
    case 'mcp': return { name: skill ?? source.skill ?? source.server };
    case 'well-known': return { name: skill ?? source.skill ?? source.kind };
    default: return never(source);
  }
}

async function place({ skill, name, document, warnings }: NamedSkill, to: { readonly tree: ReadTree; readonly workspace: string; readonly within: string; readonly moved: boolean }): Promise<StagedSkill> {
  const folder = path.join(stagedFolder(to.workspace), name);
  if (to.moved) await fs.rename(skill.folder, folder);
  else {
    await fs.mkdir(folder);
    await copyFolder({ from: skill.folder, within: to.within, into: folder });
  }
  return { name, folder, path: skill.path, document, warnings, ...lockFiles(to.tree, folder) };
}
