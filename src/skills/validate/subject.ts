import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { readDocument, type SkillPlace } from '../discover/read-entry.ts';
import { decodeBytes } from '../read/decode-text.ts';
import { locateFrontmatter } from '../read/locate-frontmatter.ts';
import type { SkillDocument } from '../read/read-skill-md.ts';
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
  /** The text of the file as it stands, byte order mark and line ends included; empty for a file that is rejected. */
  readonly text: string;
  /** Not in UTF-8. */
  readonly otherEncoding: boolean;
  /** The fields as strict YAML gives them; undefined when it refuses them, or when the file does not begin with them. */
  readonly strict: FieldRecord | undefined;
}

/** Reads what is to be judged. Never rejects for what is in the file. */
export async function readSubject(tree: ReadTree, place: SkillPlace): Promise<Subject> {
  const document = await readDocument(tree, place);
  const { text, encoding } = document.status === 'rejected' ? { text: '', encoding: 'utf-8' } : decodeBytes(tree.read(place.file));
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

function strictFields(text: string): FieldRecord | undefined {
  if (!text.startsWith('---')) return undefined;
  const { raw, diagnostics } = locateFrontmatter(text.replace(/\r\n?/g, '\n'));
  if (raw === undefined || diagnostics.some((each) => each.severity === 'error')) return undefined;
  const result = yamlReader.read(raw);
  return result.kind === 'fields' ? result.fields : undefined;
}
