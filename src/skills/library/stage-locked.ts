import fs from 'node:fs/promises';
import path from 'node:path';
import { loadYamlReader } from '../read/load-yaml.ts';
import { editDescription } from './edit-description.ts';
import { lockFiles, type LockEntry } from './lock-file.ts';
import { refusal, shown } from './refusal.ts';
import type { SkillSource } from './skill-source.ts';
import { stageSource, type StagedSkill, type StagedSource, type StageOptions } from './stage-source.ts';
import { stagedFolder } from './work-folder.ts';

/** Entries of the lock file that come from one source. */
export interface LockedSource {
  readonly source: SkillSource;
  readonly entries: readonly (readonly [name: string, entry: LockEntry])[];
}

/** A skill of the lock file as its source gives it, with the person's own description. */
export interface StagedEntry {
  readonly name: string;
  readonly entry: LockEntry;
  readonly skill: StagedSkill;
  readonly provenance: StagedSource['provenance'];
}

/** Fetches a source again and stages the skills of these entries below `workspace/new`, as `stageSource` does. Throws what that throws. */
export async function stageLocked({ source, entries }: LockedSource, options: Omit<StageOptions, 'pick'>): Promise<readonly StagedEntry[]> {
  const own = await fs.mkdtemp(path.join(options.workspace, 'source-'));
  const staged = await stageSource(source, { ...options, workspace: own, pick: entries.map(([name, entry]) => ({ path: entry.path, name })) });
  const found: StagedEntry[] = [];
  for (const [name, entry] of entries) {
    const skill = staged.skills.find((one) => one.path === entry.path) ?? staged.skills.find((one) => one.name === name);
    if (!skill) throw refusal(`${entry.source} has no skill in ${shown(entry.path)} any more`);
    found.push({ name, entry, provenance: staged.provenance, skill: await takeOver(skill, { name, entry, options }) });
  }
  return found;
}

/** Moves a staged skill to where the change looks for it, under the name that it has here, and gives it the person's description. */
async function takeOver(skill: StagedSkill, { name, entry, options }: { readonly name: string; readonly entry: LockEntry; readonly options: Omit<StageOptions, 'pick'> }): Promise<StagedSkill> {
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
