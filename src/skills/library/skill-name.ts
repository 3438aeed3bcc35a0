import type { SkillDocument } from '../read/read-skill-md.ts';
import { refusal, shown } from './refusal.ts';

const LONGEST = 64;
const VALID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** True for a name that every program takes: lower-case letters, digits and single hyphens, at most 64. */
export function isSkillName(name: string): boolean {
  return name.length <= LONGEST && VALID.test(name);
}

/** True for the name of a folder that may hold a skill, be it valid or not: one plain segment, not hidden. */
export function isFolderName(name: string): boolean {
  return /^[^/\\\0]+$/.test(name) && !name.startsWith('.');
}

/**
 * The name of the folder that a skill is installed in: its own name, else that of its folder in the source, else what is left
 * of its name without the signs that some programs refuse. Throws `install_refused` when nothing usable is left.
 */
export function folderNameFor(document: SkillDocument, sourceFolder: string): { readonly name: string; readonly warning?: string } {
  const given = document.frontmatter.name;
  if (given !== undefined && /[/\\\p{Cc}]|^\.|^~/u.test(given)) throw refusal(`the name ${shown(given)} in its SKILL.md is a path`);
  if (given !== undefined && isSkillName(given)) return { name: given, ...(given === sourceFolder ? {} : { warning: `its folder was called ${shown(sourceFolder)}` }) };
  const reason = given === undefined ? 'its SKILL.md gives no name' : `the name ${shown(given)} in its SKILL.md is not made of at most ${LONGEST} lower-case letters, digits and single hyphens`;
  const name = [sourceFolder, plainName(given ?? ''), plainName(sourceFolder)].find((each) => isSkillName(each));
  if (name === undefined) throw refusal(`${reason}, and the name of its folder, ${shown(sourceFolder)}, neither`);
  return { name, ...(given === undefined && name === sourceFolder ? {} : { warning: `${reason}; its folder is called ${name}` }) };
}

function plainName(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, LONGEST).replace(/^-+|-+$/g, '');
}
