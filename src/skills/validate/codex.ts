import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { isObject } from '../../protocol/json.ts';
import { fault, info } from '../read/diagnostic.ts';
import { nameLength } from './name-rules.ts';
import type { Subject } from './subject.ts';
import { beginsRules, descriptionRules, fieldNames, readerFindings } from './text-rules.ts';

/** codex: strict YAML, typed name and description, everything else left alone. */
export function judgeCodex(subject: Subject): readonly SkillDiagnostic[] {
  const { document, fileName, folderName, strict } = subject;
  const out = readerFindings(subject, ['byte-order-mark', 'name-missing', 'description-missing', 'delimiter-indented']);
  if (document.status === 'rejected') return out;
  out.push(...beginsRules(subject), ...descriptionRules(subject), ...nameLength(document.frontmatter.name ?? folderName));
  if (fileName !== 'SKILL.md') out.push(fault('file-name', `the file is called ${fileName}; only SKILL.md is found`, 'SKILL.md'));
  if (subject.otherEncoding) out.push(fault('encoding', 'the file is not UTF-8', 'save the file as UTF-8'));
  for (const field of ['name', 'description']) {
    const value = strict?.[field] ?? undefined;
    if (value !== undefined && typeof value !== 'string') out.push(fault('field-type', `${field} has to be a text; quote it`, `${field}: ${JSON.stringify(JSON.stringify(value))}`));
  }
  if (strict && 'metadata' in strict && !isObject(strict['metadata'])) out.push(fault('metadata-shape', 'metadata has to be a map'));
  const unread = fieldNames(subject).filter((field) => !['name', 'description', 'metadata'].includes(field));
  return [...out, ...unread.map((field) => info('field-ignored', `the field ${JSON.stringify(field)} is ignored`))];
}
