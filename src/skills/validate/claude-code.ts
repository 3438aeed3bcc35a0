import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault, info, warning } from '../read/diagnostic.ts';
import { isKnownField } from '../read/fields.ts';
import { nameLength } from './name-rules.ts';
import type { Subject } from './subject.ts';
import { fieldNames, readerFindings } from './text-rules.ts';

const LISTED_CHARS = 1_536;
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Claude Code: broken YAML costs all fields there; nothing is required. */
export function judgeClaudeCode(subject: Subject): readonly SkillDiagnostic[] {
  const { document, fileName, folderName } = subject;
  const out = readerFindings(subject, ['name-missing']);
  if (document.status === 'rejected') return out;
  const { frontmatter } = document;
  if (fileName !== 'SKILL.md') out.push(fault('file-name', `the file is called ${fileName}; only SKILL.md is found`, 'SKILL.md'));
  out.push(...nameLength(frontmatter.name ?? folderName));
  if (frontmatter.name !== undefined && frontmatter.name !== folderName) out.push(info('name-folder', `the command is /${folderName}, after the folder; the name ${JSON.stringify(frontmatter.name)} is a label`));
  const listed = Array.from(`${frontmatter.description ?? ''}${frontmatter.whenToUse ?? ''}`).length;
  if (listed > LISTED_CHARS) out.push(warning('listing-cut', `description and when_to_use have ${listed} characters; lists show the first ${LISTED_CHARS}`));
  return [...out, ...values(subject), ...fieldNames(subject).filter((field) => !isKnownField(field)).map((field) => info('field-ignored', `the field ${JSON.stringify(field)} is ignored`))];
}

function values({ document: { frontmatter } }: Subject): SkillDiagnostic[] {
  const { effort, context, agent, background, shell } = frontmatter;
  const out: SkillDiagnostic[] = [];
  const wrong = (field: string, value: string, allowed: string): void => void out.push(warning('field-value', `${field} is ${JSON.stringify(value)}; it can be ${allowed}`));
  if (effort !== undefined && !EFFORTS.includes(effort.toLowerCase())) wrong('effort', effort, EFFORTS.join(', '));
  if (context !== undefined && context !== 'fork') wrong('context', context, 'fork');
  if (shell !== undefined && !['bash', 'powershell'].includes(shell.toLowerCase())) wrong('shell', shell, 'bash or powershell');
  for (const [field, value] of [['agent', agent], ['background', background]] as const) if (value !== undefined && context !== 'fork') out.push(warning('field-without-fork', `${field} has no effect without context: fork`));
  return out;
}
