import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import type { SkillPlace } from '../discover/read-entry.ts';
import { readDocument } from '../discover/read-entry.ts';
import { decodeBytes } from '../read/decode-text.ts';
import { locateFrontmatter } from '../read/locate-frontmatter.ts';
import { MAX_SKILL_MD_BYTES, type SkillDocument } from '../read/read-skill-md.ts';
import type { FieldRecord } from '../read/simple-frontmatter.ts';
import { yamlReader } from '../read/yaml-reader.ts';

/** A skill as those who judge it see it. */
export interface Subject {
  readonly tree: ReadTree;
  readonly folder: string;
  /** Name of the SKILL.md as it is written. */
  readonly fileName: string;
  /** Real name of the folder. */
  readonly folderName: string;
  /** As this program reads it. */
  readonly document: SkillDocument;
  /** The text of the file as it stands, byte order mark and line ends included; empty where it cannot be read. */
  readonly text: string;
  /** Not in UTF-8. */
  readonly otherEncoding: boolean;
  /** The fields as strict YAML gives them; undefined when it refuses them, or when the file does not begin with them. */
  readonly strict: FieldRecord | undefined;
}

/** Reads what is to be judged. Never rejects for what is in the file. */
export async function readSubject(tree: ReadTree, place: SkillPlace): Promise<Subject> {
  const document = await readDocument(tree, place);
  const { text, encoding } = document.status === 'rejected' ? unreadable(tree, place.file) : decodeBytes(tree.read(place.file));
  return {
    tree,
    folder: place.folder,
    fileName: path.basename(place.file),
    folderName: path.basename(tree.realPath(place.folder)),
    document,
    text,
    otherEncoding: encoding !== 'utf-8',
    strict: strictFields(text),
  };
}

function unreadable(tree: ReadTree, file: string): { readonly text: string; readonly encoding: string } {
  const { kind, size } = tree.stat(file);
  return kind === 'file' && size <= MAX_SKILL_MD_BYTES ? decodeBytes(tree.read(file)) : { text: '', encoding: 'utf-8' };
}

function strictFields(text: string): FieldRecord | undefined {
  if (!text.startsWith('---')) return undefined;
  const { raw, diagnostics } = locateFrontmatter(text.replace(/\r\n?/g, '\n'));
  if (raw === undefined || diagnostics.some((each) => each.severity === 'error')) return undefined;
  const result = yamlReader.read(raw);
  return result.kind === 'fields' ? result.fields : undefined;
}
