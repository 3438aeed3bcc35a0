import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault, warning } from '../read/diagnostic.ts';
import { bodyPieces } from '../activate/body-pieces.ts';
import { isPlainName, nameLength } from './name-rules.ts';
import type { Subject } from './subject.ts';
import { beginsRules, compatibilityRules, descriptionRules, fieldNames, readerFindings, STANDARD_FIELDS } from './text-rules.ts';

/** claude.ai and the skills API: a closed set of fields, plain names, no markup, no commands. */
export function judgeClaudeAi(subject: Subject): readonly SkillDiagnostic[] {
  const found = readerFindings(subject, ['byte-order-mark', 'name-missing', 'description-missing', 'line-ends']);
  if (subject.document.status === 'rejected') return found;
  const out = [...found, ...beginsRules(subject), ...name(subject), ...descriptionRules(subject), ...compatibilityRules(subject)];
  if (subject.fileName !== 'SKILL.md') out.push(fault('file-name', `the file is called ${subject.fileName}; it has to be SKILL.md`, 'SKILL.md'));
  if (/[<>]/.test(subject.document.frontmatter.description ?? '')) out.push(fault('description-markup', 'the description may not hold < or >'));
  if (subject.text.includes('\r')) out.push(warning('line-ends', 'Windows line ends make some checks there miss the frontmatter', 'save the file with LF line ends'));
  if (bodyPieces(subject.document.body).some(({ kind }) => kind === 'command')) out.push(warning('commands-ignored', 'commands (!`…`) do not run there; their text stays as it is'));
  const others = fieldNames(subject).filter((field) => !STANDARD_FIELDS.has(field));
  return [...out, ...others.map((field) => fault('field-refused', `the field ${JSON.stringify(field)} is refused on upload`))];
}

function name({ document, folderName }: Subject): SkillDiagnostic[] {
  const { name } = document.frontmatter;
  if (name === undefined) return [fault('name-required', 'a name is required', `name: ${folderName}`)];
  const out = nameLength(name);
  if (out.length === 0 && !isPlainName(name)) out.push(fault('name-pattern', `the name ${JSON.stringify(name)} may hold a to z, digits and single hyphens between them`));
  const reserved = /anthropic|claude/i.exec(name)?.[0];
  if (reserved !== undefined) out.push(fault('name-reserved', `the name may not hold ${JSON.stringify(reserved)}`));
  return out;
}
