import path from 'node:path';
import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { loadYamlReader } from '../read/load-yaml.ts';
import { readSidecar, withSidecar } from '../read/openai-sidecar.ts';
import { MAX_SKILL_MD_BYTES, readSkillMd, rejectedDocument, type SkillDocument } from '../read/read-skill-md.ts';
import type { YamlReader } from '../read/yaml-reader.ts';
import { whyUnreadable } from '../unreadable.ts';
import type { SkillEntry } from './skill-entry.ts';

/** Where a SKILL.md lies. */
export interface SkillPlace {
  readonly file: string;
  readonly folder: string;
  /** Of the folder, where they are known: what is not among them is not looked for. */
  readonly entries?: readonly FolderEntry[] | undefined;
}

/** Reads a SKILL.md from disk, with what lies beside it for codex; one that cannot be read is a rejected document. Undefined when YAML is needed and not given. */
export function readPlace(tree: ReadTree, place: SkillPlace, yaml: YamlReader | undefined): SkillDocument | undefined {
  const folderName = path.basename(place.folder);
  try {
    const { size, kind } = tree.stat(place.file);
    if (kind !== 'file') return rejectedDocument(folderName, 'unreadable', `${path.basename(place.file)} is no regular file`);
    if (size > MAX_SKILL_MD_BYTES) return rejectedDocument(folderName, 'file-too-large', `the file has ${size} bytes; a SKILL.md may have ${MAX_SKILL_MD_BYTES}`);
    const document = readSkillMd(tree.read(place.file), { folderName, yaml });
    if (!document || document.status === 'rejected') return document;
    return withSidecar(document, readSidecar(tree, place.folder, place.entries), yaml);
  } catch (error) {
    return rejectedDocument(folderName, 'unreadable', `the file cannot be read: ${whyUnreadable(error)}`);
  }
}

/** Reads a SKILL.md as a whole, loading the YAML package if it is needed. */
export async function readDocument(tree: ReadTree, place: SkillPlace): Promise<SkillDocument> {
  return documentReader(tree)(place);
}

/** The same for many files: the YAML package is asked for once. */
export function documentReader(tree: ReadTree): (place: SkillPlace) => Promise<SkillDocument> {
  let yaml: YamlReader | undefined;
  return async (place) => readPlace(tree, place, yaml) ?? readPlace(tree, place, (yaml ??= await loadYamlReader())) ?? rejectedDocument(path.basename(place.folder), 'unreadable', 'the file cannot be read');
}

/** The skill's instructions, read anew. Throws `skill_not_found` when the file can no longer be read or used. */
export async function readBody(tree: ReadTree, entry: SkillEntry): Promise<string> {
  const document = await readDocument(tree, { file: entry.path, folder: entry.folder });
  if (document.status === 'rejected') throw new SkillmintError('skill_not_found', `the skill ${entry.name} cannot be used: ${document.reason ?? ''} (${entry.path})`);
  return document.body;
}
