import fs from 'node:fs/promises';
import path from 'node:path';
import { loadYamlReader } from '../read/load-yaml.ts';
import { editDescription } from './edit-description.ts';
import { lockFiles, type LockEntry } from './lock-file.ts';
import { refusal, shown } from './refusal.ts';
import { pinSource, type SkillSource } from './skill-source.ts';
import { stageSource, type StagedSkill, type StagedSource, type StageOptions } from './stage-source.ts';
import { stagedFolder } from './work-folder.ts';

/** An entry of the lock file with its name. */
export type NamedEntry = readonly [name: string, entry: LockEntry];

/** What staging entries of the lock file works with. */
export interface StageLockedOptions extends Omit<StageOptions, 'pick' | 'plugin'> {
  /** Reads the text of a source in the lock file. */
  readonly parse: (text: string) => SkillSource;
  /** What was locked, or else what the source has now. */
  readonly pinned: boolean;
}

/** A skill of the lock file as its source gives it, with the person's own description. */
export interface StagedEntry {
  readonly name: string;
  readonly entry: LockEntry;
  readonly skill: StagedSkill;
  readonly provenance: StagedSource['provenance'];
}

/** Groups of entries that one fetch gives: of one source, tied to the same content where that is what is `pinned`, and of one plugin. */
export function bySource(entries: readonly NamedEntry[], { pinned }: Pick<StageLockedOptions, 'pinned'>): readonly (readonly [NamedEntry, ...NamedEntry[]])[] {
  const groups = new Map<string, [NamedEntry, ...NamedEntry[]]>();
  for (const named of entries) {
    const { source, plugin, commit, version, integrity, signer } = named[1];
    const key = JSON.stringify([source, plugin, ...(pinned ? [commit, version, integrity, signer] : [])]);
    const group = groups.get(key);
    if (group) group.push(named);
    else groups.set(key, [named]);
  }
  return [...groups.values()];
}

/** Fetches the source of a group again and stages its skills below `workspace/new`, as `stageSource` does. Throws what that throws. */
export async function stageLocked(entries: readonly [NamedEntry, ...NamedEntry[]], options: StageLockedOptions): Promise<readonly StagedEntry[]> {
  const own = await fs.mkdtemp(path.join(options.workspace, 'source-'));
  const [[name, first]] = entries;
  if (first.kind === 'draft') throw refusal(`${name} was written on the machine where the lock file was made and has no source to fetch it from. Keep its folder together with the lock file, or remove it: skillmint skills remove ${name}.`);
  const source = options.pinned ? pinSource(options.parse(first.source), first) : options.parse(first.source);
  const staged = await stageSource(source, { ...options, workspace: own, plugin: first.plugin, pick: entries.map(([name, entry]) => ({ path: entry.path, name })) });
  const found: StagedEntry[] = [];
  for (const [name, entry] of entries) {
    const skill = staged.skills.find((one) => one.path === entry.path) ?? staged.skills.find((one) => one.name === name);
    if (!skill) throw refusal(`${entry.source} has no skill in ${shown(entry.path)} any more`);
    found.push({ name, entry, provenance: staged.provenance, skill: await takeOver(skill, { name, entry, options }) });
  }
  return found;
}

/** Moves a staged skill to where the change looks for it, under the name that it has here, and gives it the person's description. */
async function takeOver(skill: StagedSkill, { name, entry, options }: { readonly name: string; readonly entry: LockEntry; readonly options: StageLockedOptions }): Promise<StagedSkill> {
  const folder = path.join(stagedFolder(options.workspace), name);
  await fs.mkdir(path.dirname(folder), { recursive: true });
  // An earlier attempt, which failed for another skill of the same source, may have left one.
  await fs.rm(folder, { recursive: true, force: true });
  await fs.rename(skill.folder, folder);
  const { description } = entry;
  if (description === undefined) return { ...skill, name, folder };
  const file = path.join(folder, mainFile(skill));
  await fs.writeFile(file, editDescription(options.tree.read(file), { description, folderName: name, yaml: await loadYamlReader() }));
  return { ...skill, name, folder, ...lockFiles(options.tree, folder) };
}

function mainFile({ files }: StagedSkill): string {
  const names = Object.keys(files).filter((file) => /^skill\.md$/i.test(file));
  return names.find((name) => name === 'SKILL.md') ?? names[0] ?? 'SKILL.md';
}
