import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault, info, warning } from '../read/diagnostic.ts';
import type { Subject } from './subject.ts';
import { fieldNames, readerFindings } from './text-rules.ts';

/** gemini-cli: takes name and description from the lines where YAML fails, and skips a skill that lacks one of them. */
export function judgeGeminiCli(subject: Subject): readonly SkillDiagnostic[] {
  const { document, fileName, strict, text } = subject;
  if (document.status === 'rejected') return readerFindings(subject);
  const block = /^---\r?\n([^]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1];
  if (block === undefined) return [...softened(subject), fault('frontmatter-required', 'the file does not begin with fields between --- lines; the skill is skipped', 'begin with ---, name: and description: and ---')];
  const out: SkillDiagnostic[] = softened(subject);
  if (fileName !== 'SKILL.md') out.push(fault('file-name', `the file is called ${fileName}; only SKILL.md is found`, 'SKILL.md'));
  const typed = ['name', 'description'].every((field) => typeof strict?.[field] === 'string');
  for (const field of ['name', 'description']) if (!typed && !new RegExp(`^\\s*${field}:`, 'm').test(block)) out.push(fault(`${field}-required`, `without a ${field} the skill is skipped`));
  const unread = fieldNames(subject).filter((field) => field !== 'name' && field !== 'description');
  return [...out, ...unread.map((field) => info('field-ignored', `the field ${JSON.stringify(field)} is ignored`))];
}

/** What the reader had to repair is no reason to skip a skill there, but values may be cut. */
function softened(subject: Subject): SkillDiagnostic[] {
  return readerFindings(subject, ['name-missing', 'description-missing']).map((each) => (each.severity === 'error' ? warning(each.code, each.message, each.fix) : each));
}
