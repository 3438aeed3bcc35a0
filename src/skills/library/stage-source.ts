import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { never } from '../../util/never.ts';
import type { SkillDocument } from '../read/read-skill-md.ts';
import { allOf, listText, pickSkills, readSkills, type NamedSkill, type PickedSkill } from './choose-skills.ts';
import { copyFolder } from './copy-folder.ts';
import type { FetchedSource } from './fetched-source.ts';
import { findSkillFolders, type FindOptions } from './find-skill-folders.ts';
import { lockFiles, type LockEntry } from './lock-file.ts';
import { sourceText, type Provenance, type SkillSource } from './skill-source.ts';
import { stagedFolder } from './work-folder.ts';

/** What staging works with. */
export interface StageOptions {
  readonly tree: ReadTree;
  /** Folder that the caller removes afterwards, absolute. */
  readonly workspace: string;
  /** Gets a source; what it fetches lies in the empty folder `temporary`. */
  readonly fetch: (source: SkillSource, temporary: string) => Promise<FetchedSource>;
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

/** Fetches and unpacks a source into the workspace, checks its skills, and says what it gave. No code of it runs. Throws `install_refused`, `not_found`, `io`, `interrupted`, and what fetching throws. */
export async function stageSource(source: SkillSource, options: StageOptions): Promise<StagedSource> {
  const { tree, workspace } = options;
  const temporary = path.join(workspace, 'fetched');
  await fs.mkdir(temporary);
  await fs.mkdir(stagedFolder(workspace), { recursive: true });
  const fetched = await options.fetch(source, temporary);
  const label = sourceText(source);
  const root = await openFetched(fetched, options, label);
  options.progress(`looking for skills in ${label}`);
  const found = findSkillFolders({ tree, root, source: label, atRoot: atRoot(source, fetched) });
  const read = await readSkills(tree, found.skills);
  const picked = options.pick === undefined ? allOf(read, label) : pickSkills([read, await readSkills(tree, found.others)], options.pick, label);
  const copied = fetched.archive === undefined;
  const skills: StagedSkill[] = [];
  for (const skill of picked) {
    if (options.signal?.aborted) throw new SkillmintError('interrupted', 'Interrupted; nothing was installed.');
    skills.push(await place(skill, { tree, workspace, within: root, copied, label }));
  }
  const leftOut = options.pick === undefined ? read.faults.map(({ error }) => error.message) : [];
  const others = options.pick === undefined && found.others.length > 0 ? [`left out, since most skills of the source lie in another place: ${listText(found.others.map((skill) => skill.path))}; take one by --skill`] : [];
  return { provenance: fetched.provenance, skills, notes: [...leftOut, ...found.problems, ...others] };
}

/** What a SKILL.md at the root means: in a folder, a repository or a package it is the skill; an archive must have a folder for it. */
function atRoot(source: SkillSource, { archive, folder, skill }: FetchedSource): FindOptions['atRoot'] {
  switch (source.kind) {
    case 'zip':
    case 'archive': return archive === undefined ? { name: path.basename(folder ?? source.kind) } : { refuse: REPACK };
    case 'folder': return { name: path.basename(source.folder) };
    case 'git': return { name: path.posix.basename(source.path ?? new URL(source.url).pathname).replace(/\.git$/, '') };
    case 'github': return { name: path.posix.basename(source.path ?? source.repo) };
    case 'npm': return { name: path.posix.basename(source.package) };
    case 'well-known': return { name: skill ?? source.skill ?? source.kind };
    default: return never(source);
  }
}

async function openFetched(fetched: FetchedSource, { workspace, progress }: StageOptions, label: string): Promise<string> {
  if (fetched.folder !== undefined) return fetched.folder;
  if (fetched.archive === undefined) throw new SkillmintError('io', `${label} could not be fetched: nothing came. Nothing was installed.`);
  const into = path.join(workspace, 'unpacked');
  await fs.mkdir(into);
  progress(`unpacking ${label}`);
  const unpack = (await isGzip(fetched.archive)) ? (await import('./unpack-tar.ts')).unpackTar : (await import('./unpack-zip.ts')).unpackZip;
  await unpack(fetched.archive, into);
  const inPackage = path.join(into, 'package');
  return fetched.provenance.kind === 'npm' && (await fs.readdir(into)).includes('package') ? inPackage : into;
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await fs.open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

async function place({ skill, name, document, warnings }: NamedSkill, to: { readonly tree: ReadTree; readonly workspace: string; readonly within: string; readonly copied: boolean; readonly label: string }): Promise<StagedSkill> {
  const folder = path.join(stagedFolder(to.workspace), name);
  if (to.copied) {
    await fs.mkdir(folder);
    await copyFolder({ from: skill.folder, within: to.within, into: folder });
  } else await fs.rename(skill.folder, folder);
  return { name, folder, path: skill.path, document, warnings, ...lockFiles(to.tree, folder) };
}
