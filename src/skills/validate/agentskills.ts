import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault, warning } from '../read/diagnostic.ts';
import { nameRules } from './name-rules.ts';
import type { Subject } from './subject.ts';
import { beginsRules, compatibilityRules, descriptionRules, fieldNames, readerFindings, STANDARD_FIELDS } from './text-rules.ts';

/** The open standard (agentskills.io), as its reference validator understands it. */
export function judgeStandard(subject: Subject): readonly SkillDiagnostic[] {
  const found = readerFindings(subject, ['byte-order-mark', 'name-missing', 'description-missing']);
  if (subject.document.status === 'rejected') return found;
  return [...found, ...beginsRules(subject), ...fileName(subject.fileName), ...nameRules(subject), ...descriptionRules(subject), ...compatibilityRules(subject), ...fields(subject)];
}

function fileName(name: string): SkillDiagnostic[] {
  if (name === 'SKILL.md') return [];
  return [name === 'skill.md' ? warning('file-name', 'the file is called skill.md; some programs only read SKILL.md', 'SKILL.md') : fault('file-name', `the file is called ${name}; it has to be SKILL.md`, 'SKILL.md')];
}

function fields(subject: Subject): SkillDiagnostic[] {
  const { metadata } = subject.document.frontmatter;
  const shape = metadata !== undefined && (typeof metadata !== 'object' || Array.isArray(metadata)) ? [warning('metadata-shape', 'metadata should be a map of texts')] : [];
  const others = fieldNames(subject).filter((field) => !STANDARD_FIELDS.has(field));
  return [...shape, ...others.map((field) => fault('field-not-standard', `the field ${JSON.stringify(field)} is not in the open standard; put it below metadata, or check for a target that knows it`))];
}
