import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { mostSimilar } from '../../util/similar.ts';
import { documentReader } from '../discover/read-entry.ts';
import type { SkillDocument } from '../read/read-skill-md.ts';
import { copyFolder } from './copy-folder.ts';
import type { FetchedSource } from './fetch-source.ts';
import { findSkillFolders, type FindOptions, type SourceSkill } from './find-skill-folders.ts';
import { lockFiles, type LockEntry } from './lock-file.ts';
import { refusal, shown } from './refusal.ts';
import { folderNameFor } from './skill-name.ts';
import { sourceText, type Provenance, type SkillSource } from './skill-source.ts';
import { stagedFolder } from './work-folder.ts';

/** What staging works with. */
export interface StageOptions {
  readonly tree: ReadTree;
  /** Folder that the caller removes afterwards, absolute. */
  readonly workspace: string;
  /** Gets a source; what it fetches lies in the empty folder `temporary`. */
  readonly fetch: (source: SkillSource, temporary: string) => Promise<FetchedSource>;
  /** Only these, by their own name or that of their folder; all when left out. */
  readonly pick?: readonly string[] | undefined;
  /** Only the skill at this path of the source. */
  readonly path?: string | undefined;
  readonly progress: (line: string) => void;
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

/** What the reader says of frontmatter that was made to cost time or memory. */
const HOSTILE: ReadonlySet<string> = new Set(['yaml-too-deep', 'yaml-too-large', 'yaml-aliases']);
const REPACK = 'SKILL.md lies at the root of the archive, but each skill needs a folder of its own. Repack it: put all its files into a folder with the name of the skill and pack that folder (zip -r my-skill.zip my-skill)';

/** Fetches and unpacks a source into the workspace, checks its skills, and says what it gave. No code of it runs. Throws `install_refused`, `not_found`, `io`, and what fetching throws. */
export async function stageSource(source: SkillSource, options: StageOptions): Promise<StagedSource> {
  const { tree, workspace } = options;
  const temporary = path.join(workspace, 'fetched');
  await fs.mkdir(temporary);
  await fs.mkdir(stagedFolder(workspace), { recursive: true });
  const fetched = await options.fetch(source, temporary);
  const label = sourceText(source);
  const root = await openFetched(fetched, options, label);
  options.progress(`looking for skills in ${label}`);
  const found = findSkillFolders({ tree, root, source: label, path: options.path ?? pathOf(source), atRoot: atRoot(source, fetched) });
  const read = await readAll(tree, found.skills, { label, optional: options.pick === undefined && found.skills.length > 1 });
  const picked = pick(read.skills, options.pick, label);
  const copied = fetched.archive === undefined;
  const skills: StagedSkill[] = [];
  for (const skill of picked) skills.push(await place(skill, { tree, workspace, within: root, copied, label }));
  const others = found.others.length > 0 ? [`${found.others.length} more lie elsewhere in the source and were left out: ${found.others.slice(0, 5).join(', ')}${found.others.length > 5 ? ' …' : ''}`] : [];
  return { provenance: fetched.provenance, skills, notes: [...read.notes, ...found.problems, ...others] };
}

function pathOf(source: SkillSource): string | undefined {
  return source.kind === 'git' || source.kind === 'github' ? source.path : undefined;
}

/** What a SKILL.md at the root means: in a folder, a repository or a package it is the skill; an archive must have a folder for it. */
function atRoot(source: SkillSource, fetched: FetchedSource): FindOptions['atRoot'] {
  switch (source.kind) {
    case 'zip':
    case 'archive': return { refuse: REPACK };
    case 'folder': return { name: path.basename(source.folder) };
    case 'git': return { name: path.basename(new URL(source.url).pathname).replace(/\.git$/, '') };
    case 'github': return { name: source.repo };
    case 'npm': return { name: path.posix.basename(source.package) };
    case 'well-known': return { name: fetched.skill ?? source.skill ?? 'skill' };
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

interface NamedSkill {
  readonly skill: SourceSkill;
  readonly name: string;
  readonly document: SkillDocument;
  readonly warnings: readonly string[];
}

/** Reads the skills; one of several that cannot be used is left out with a note, unless it was asked for. */
async function readAll(tree: ReadTree, skills: readonly SourceSkill[], { label, optional }: { readonly label: string; readonly optional: boolean }): Promise<{ readonly skills: readonly NamedSkill[]; readonly notes: readonly string[] }> {
  const read = documentReader(tree);
  const named: NamedSkill[] = [];
  const faults: SkillmintError[] = [];
  for (const skill of skills) {
    try {
      named.push(nameSkill(skill, await read({ file: skill.file, folder: skill.folder })));
    } catch (error) {
      if (!(error instanceof SkillmintError)) throw error;
      faults.push(refusal(`the skill in ${shown(skill.path === '' ? skill.folderName : skill.path)} is refused: ${error.message}`, error));
    }
  }
  const [first] = faults;
  if (first !== undefined && (!optional || named.length === 0)) throw refusal(`${label}: ${first.message}. Nothing was installed.`, first);
  return { skills: named, notes: faults.map((fault) => fault.message) };
}

function nameSkill(skill: SourceSkill, document: SkillDocument): NamedSkill {
  const hostile = document.diagnostics.find(({ code }) => HOSTILE.has(code));
  if (document.status === 'rejected' || hostile) throw refusal(hostile?.message ?? document.reason ?? 'its SKILL.md cannot be read');
  const { name, warning } = folderNameFor(document, skill.folderName);
  const spelling = path.basename(skill.file) === 'SKILL.md' ? [] : [`its file is called ${path.basename(skill.file)}; some programs only read SKILL.md`];
  const findings = document.diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => message);
  return { skill, name, document, warnings: [...(warning === undefined ? [] : [warning]), ...spelling, ...findings] };
}

function pick(skills: readonly NamedSkill[], wanted: readonly string[] | undefined, label: string): readonly NamedSkill[] {
  const chosen = wanted === undefined ? skills : wanted.flatMap((name) => skillsCalled(skills, name, label));
  const byName = new Map<string, NamedSkill>();
  for (const one of new Set(chosen)) {
    const other = byName.get(one.name);
    if (other) throw refusal(`${label} holds two different skills called ${one.name}, in ${shown(other.skill.path)} and ${shown(one.skill.path)}. Name the folder of one in the source. Nothing was installed.`);
    byName.set(one.name, one);
  }
  return [...byName.values()];
}

function skillsCalled(skills: readonly NamedSkill[], name: string, label: string): readonly NamedSkill[] {
  const found = skills.filter((one) => one.name === name || one.document.name === name || one.skill.folderName === name || one.skill.path === name);
  if (found.length > 0) return found;
  const names = skills.map((one) => one.name);
  const near = mostSimilar(name, names, 3);
  throw new SkillmintError('skill_not_found', `${label} holds no skill ${shown(name)}; ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it holds ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' …' : ''}.`} Nothing was installed.`);
}

async function place({ skill, name, document, warnings }: NamedSkill, to: { readonly tree: ReadTree; readonly workspace: string; readonly within: string; readonly copied: boolean; readonly label: string }): Promise<StagedSkill> {
  const folder = path.join(stagedFolder(to.workspace), name);
  if (to.copied) {
    await fs.mkdir(folder);
    await copyFolder({ from: skill.folder, within: to.within, into: folder });
  } else await fs.rename(skill.folder, folder);
  return { name, folder, path: skill.path, document, warnings, ...lockFiles(to.tree, folder) };
}
