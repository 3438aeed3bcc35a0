import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { decodeText } from './decode-text.ts';
import { fault, info, warning } from './diagnostic.ts';
import { readOpencodeMetadata } from './opencode-metadata.ts';
import { typeFields, type SkillFrontmatter } from './fields.ts';
import { firstParagraph } from './first-paragraph.ts';
import { locateFrontmatter } from './locate-frontmatter.ts';
import { parseFrontmatter } from './parse-frontmatter.ts';
import type { YamlReader } from './yaml-reader.ts';

/** Largest SKILL.md in bytes that is read. */
export const MAX_SKILL_MD_BYTES = 1024 * 1024;

/** A SKILL.md as read. `reason` is set whenever the status is not `loaded`. */
export interface SkillDocument {
  readonly name: string;
  readonly description: string;
  /** The instructions, without frontmatter and without blank lines around them. */
  readonly body: string;
  readonly frontmatter: SkillFrontmatter;
  readonly status: 'loaded' | 'repaired' | 'rejected';
  readonly reason: string | undefined;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** What the reader needs beside the bytes. */
export interface ReadOptions {
  /** Name of the skill's folder; the skill's name where the file gives none. */
  readonly folderName: string;
}

const NO_FIELDS = typeFields({}, {}).frontmatter;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/**
 * Reads a SKILL.md, tolerantly: what can be understood is, and what had to be repaired is a diagnostic. `rejected` is
 * only a file without description and body, or too large a one. Never throws. Without `yaml` the answer is undefined
 * when the YAML package is needed: load it (`loadYamlReader`) and call again.
 */
export function readSkillMd(bytes: Uint8Array, options: ReadOptions & { readonly yaml: YamlReader }): SkillDocument;
export function readSkillMd(bytes: Uint8Array, options: ReadOptions & { readonly yaml?: YamlReader | undefined }): SkillDocument | undefined;
export function readSkillMd(bytes: Uint8Array, { folderName, yaml }: ReadOptions & { readonly yaml?: YamlReader | undefined }): SkillDocument | undefined {
  if (bytes.length > MAX_SKILL_MD_BYTES) return rejectedDocument(folderName, 'file-too-large', `the file has ${bytes.length} bytes; a SKILL.md may have ${MAX_SKILL_MD_BYTES}`);
  const decoded = decodeText(bytes);
  const parsed = parseFrontmatter(locateFrontmatter(decoded.text), yaml);
  if (!parsed) return undefined;
  const typed = readOpencodeMetadata(typeFields(parsed.fields, parsed.sources));
  const body = parsed.body.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  const notes = [...decoded.diagnostics, ...parsed.diagnostics, ...typed.diagnostics];
  const { frontmatter } = typed;
  const description = frontmatter.description ?? firstParagraph(body);
  if (description === '' && body.trim() === '') return rejectedDocument(folderName, 'empty-skill', 'the file has neither a description nor a body', { notes, frontmatter });
  const diagnostics = [...notes, ...plausibility({ frontmatter, body, description, folderName })];
  const faults = diagnostics.filter((each) => each.severity === 'error');
  return {
    name: frontmatter.name ?? folderName,
    description,
    body,
    frontmatter,
    status: faults.length > 0 ? 'repaired' : 'loaded',
    reason: faults.length > 0 ? faults.map((each) => each.message).join('; ') : undefined,
    diagnostics,
  };
}

/** The document that stands for a file which cannot be used. */
export function rejectedDocument(folderName: string, code: string, reason: string, known: { readonly notes?: readonly SkillDiagnostic[]; readonly frontmatter?: SkillFrontmatter } = {}): SkillDocument {
  const frontmatter = known.frontmatter ?? NO_FIELDS;
  return {
    name: frontmatter.name ?? folderName,
    description: frontmatter.description ?? '',
    body: '',
    frontmatter,
    status: 'rejected',
    reason,
    diagnostics: [...(known.notes ?? []), fault(code, reason)],
  };
}

function plausibility(at: { readonly frontmatter: SkillFrontmatter; readonly body: string; readonly description: string; readonly folderName: string }): SkillDiagnostic[] {
  const out: SkillDiagnostic[] = [];
  if (at.frontmatter.name === undefined) out.push(warning('name-missing', `no name is given; the folder's name ${JSON.stringify(at.folderName)} is used`, `name: ${at.folderName}`));
  if (at.frontmatter.description === undefined) out.push(warning('description-missing', 'no description is given; the first paragraph is used', `description: ${JSON.stringify(at.description)}`));
  if (at.body === '') out.push(info('body-empty', 'nothing follows the frontmatter'));
  if (INVISIBLE.test(`${at.frontmatter.name ?? ''}${at.description}`)) out.push(warning('invisible-characters', 'name or description holds invisible characters', 'remove them'));
  else if (INVISIBLE.test(at.body)) out.push(warning('invisible-characters', 'the body holds invisible characters', 'remove them'));
  return out;
}
