import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../digest.ts';
import { readDocument } from '../discover/read-entry.ts';
import { commitChange, finishAbandoned } from './commit-change.ts';
import { exists } from './exists.ts';
import { inLibrary, type SkillLibrary } from './library-folder.ts';
import { withLibraryLock } from './library-lock.ts';
import { LIMITS, sizeText } from './limits.ts';
import { isSkillName } from './skill-name.ts';
import { skillTemplate } from './skill-template.ts';
import { stagedFolder } from './work-folder.ts';

/** What a new skill says. */
export interface NewSkill {
  readonly name: string;
  readonly description: string;
  /** The body; the template's when left out. */
  readonly instructions?: string | undefined;
}

/** A skill that was made. */
export interface CreatedSkill {
  readonly name: string;
  readonly id: string;
  /** Absolute. */
  readonly folder: string;
  readonly digest: string;
}

const DESCRIPTION_CHARS = 1_024;

/** Throws `usage` for a skill that the open standard would not take: name, description, size. */
export function checkNewSkill({ name, description, instructions }: NewSkill): void {
  if (!isSkillName(name)) throw new SkillmintError('usage', `${JSON.stringify(name)} is no name for a skill: use at most 64 lower-case letters, digits and single hyphens between them, for example monthly-report.`);
  checkDescription(description);
  if (instructions !== undefined && instructions.trim() === '') throw new SkillmintError('usage', 'The instructions are empty.');
  if (Buffer.byteLength(instructions ?? '') > LIMITS.skillMdBytes / 2) throw new SkillmintError('usage', `The instructions are longer than ${sizeText(LIMITS.skillMdBytes / 2)}; put parts of them into files of their own.`);
}

/** Throws `usage` for a description that the open standard would not take. */
export function checkDescription(description: string): void {
  if (description.trim() === '') throw new SkillmintError('usage', 'The description is empty. Say what the skill does and when to use it.');
  if (description !== description.trim()) throw new SkillmintError('usage', 'The description begins or ends with white space. Leave it out.');
  const length = Array.from(description).length;
  if (length > DESCRIPTION_CHARS) throw new SkillmintError('usage', `The description has ${length} characters; ${DESCRIPTION_CHARS} are allowed.`);
  if (/[\p{Cc}\p{Cs}]/u.test(description.replaceAll('\n', ''))) throw new SkillmintError('usage', 'The description holds control characters. Leave them out.');
}

/** Makes a skill from the template. Throws `usage`, `skill_exists`, `library_busy`, `path_refused` and `io`. */
export async function createSkill(tree: ReadTree, library: SkillLibrary, skill: NewSkill): Promise<CreatedSkill> {
  checkNewSkill(skill);
  const { name } = skill;
  return inLibrary(library, (open, workspace) => withLibraryLock(open.folder, async () => {
    await finishAbandoned(open);
    const folder = path.join(open.folder, name);
    if (await exists(folder)) throw new SkillmintError('skill_exists', `A skill ${name} is already in ${open.folder}. Nothing was made: choose another name, or remove that one first.`);
    const staged = path.join(stagedFolder(workspace.folder), name);
    await fs.mkdir(staged, { recursive: true });
    await fs.writeFile(path.join(staged, 'SKILL.md'), skillTemplate(skill));
    const document = await readDocument(tree, { folder: staged, file: path.join(staged, 'SKILL.md') });
    if (document.status !== 'loaded' || document.name !== name || document.description !== skill.description) throw new SkillmintError('io', `The skill ${name} cannot be written so that it is read as it was meant: ${document.reason ?? 'its fields come out otherwise'}. Nothing was made.`);
    // An entry that a skill removed by hand has left would make this one a stranger's.
    await commitChange(open, workspace.folder, { put: [{ name, replaces: false }], drop: [], rewrite: [], lock: { [name]: null } });
    return { name, id: `${open.scope}:${name}`, folder, digest: digestSkill(tree, folder).digest };
  }));
}
