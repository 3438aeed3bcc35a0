import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault } from '../read/diagnostic.ts';
import { documentedName } from '../read/fields.ts';
import type { Subject } from './subject.ts';

const DESCRIPTION_CHARS = 1_024;
const COMPATIBILITY_CHARS = 500;
/** Fields of the open standard. */
export const STANDARD_FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);

/** Every strict reader asks for a description, and for one that is not too long. */
export function descriptionRules({ document }: Subject): SkillDiagnostic[] {
  const { description } = document.frontmatter;
  if (description === undefined) return [fault('description-required', 'a description is required')];
  const length = Array.from(description).length;
  return length > DESCRIPTION_CHARS ? [fault('description-too-long', `the description has ${length} characters; ${DESCRIPTION_CHARS} are allowed`)] : [];
}

/** What the open standard says of `compatibility`. */
export function compatibilityRules({ document, strict }: Subject): SkillDiagnostic[] {
  const out: SkillDiagnostic[] = [];
  const length = Array.from(document.frontmatter.compatibility ?? '').length;
  if (length > COMPATIBILITY_CHARS) out.push(fault('compatibility-too-long', `compatibility has ${length} characters; ${COMPATIBILITY_CHARS} are allowed`));
  const written = strict?.['compatibility'];
  if (written !== undefined && typeof written !== 'string') out.push(fault('compatibility-text', 'compatibility has to be a text'));
  return out;
}

/** Names of the fields as they are written, where strict YAML reads them; else as this program understood them. */
export function fieldNames({ strict, document }: Subject): readonly string[] {
  if (strict) return Object.keys(strict);
  const { other, ...known } = document.frontmatter;
  return [...Object.keys(other), ...Object.entries(known).flatMap(([key, value]) => (value === undefined ? [] : [documentedName(key)]))];
}

/** The first line has to be the delimiter itself: no byte order mark, nothing before it. */
export function beginsRules({ text, document }: Subject): SkillDiagnostic[] {
  if (!text.startsWith('\ufeff') || document.status === 'rejected') return [];
  return [fault('byte-order-mark', 'the file starts with a byte order mark, behind which the frontmatter is not found', 'save the file without a byte order mark')];
}

/** Findings of the reader that are the same for everybody; those in `but` are judged otherwise. */
export function readerFindings({ document }: Subject, but: readonly string[] = []): SkillDiagnostic[] {
  return document.diagnostics.filter(({ code }) => !but.includes(code));
}
