import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault, warning } from '../read/diagnostic.ts';
import type { Subject } from './subject.ts';

const NAME_CHARS = 64;
/** Letters of any script that are not capitals, digits, and single hyphens between them. */
const NAME = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}]+)*$/u;

/** True for a name that every program takes. */
export function isPlainName(name: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= NAME_CHARS;
}

/** What the open standard asks of a name. */
export function nameRules({ document, folderName }: Subject): SkillDiagnostic[] {
  const name = document.frontmatter.name?.normalize('NFKC');
  if (name === undefined) return [fault('name-required', 'the standard requires a name', `name: ${folderName}`)];
  const out = [...nameLength(name)];
  if (!NAME.test(name)) out.push(fault('name-pattern', `the name ${JSON.stringify(name)} may hold lower-case letters, digits and single hyphens between them`, slug(name)));
  else if (!/^[\da-z-]*$/.test(name)) out.push(warning('name-not-ascii', `the name ${JSON.stringify(name)} has letters beyond a to z, which many programs refuse`));
  if (name !== folderName.normalize('NFKC')) out.push(fault('name-folder', `the name ${JSON.stringify(name)} is not that of the folder, ${JSON.stringify(folderName)}`, `name: ${folderName}`));
  return out;
}

/** The longest name that anybody takes. */
export function nameLength(name: string): SkillDiagnostic[] {
  const length = Array.from(name).length;
  return length > NAME_CHARS ? [fault('name-too-long', `the name has ${length} characters; ${NAME_CHARS} are allowed`)] : [];
}

function slug(name: string): string {
  return name.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, NAME_CHARS).replace(/^-|-$/g, '');
}
