import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { mostSimilar } from '../../util/similar.ts';
import { documentReader } from '../discover/read-entry.ts';
import type { SkillDocument } from '../read/read-skill-md.ts';
import type { SourceSkill } from './find-skill-folders.ts';
import { listText, refusal, shown } from './refusal.ts';
import { folderNameFor } from './skill-name.ts';

/** What the reader says of frontmatter that was made to cost time or memory. */
const HOSTILE: ReadonlySet<string> = new Set(['yaml-too-deep', 'yaml-too-large', 'yaml-aliases']);

/** A skill that is wanted: by its path in the source, else by its own name or that of its folder. */
export interface PickedSkill {
  readonly path?: string;
  readonly name: string;
}

/** A skill of a source that can be used, and what its folder will be called. */
export interface NamedSkill {
  readonly skill: SourceSkill;
  readonly name: string;
  readonly document: SkillDocument;
  readonly warnings: readonly string[];
}

/** A skill of the source that cannot be used, and why. */
export interface Fault {
  readonly skill: SourceSkill;
  readonly error: SkillmintError;
}

/** The skills of a source, or of a part of it, as they were read. */
export interface ReadSkills {
  readonly named: readonly NamedSkill[];
  readonly faults: readonly Fault[];
}

/** Reads skills of a source and names their folders. */
export async function readSkills(tree: ReadTree, skills: readonly SourceSkill[]): Promise<ReadSkills> {
  const read = documentReader(tree);
  const named: NamedSkill[] = [];
  const faults: Fault[] = [];
  for (const skill of skills) {
    try {
      named.push(nameSkill(skill, await read({ file: skill.file, folder: skill.folder })));
    } catch (error) {
      if (!(error instanceof SkillmintError)) throw error;
      faults.push({ skill, error: refusal(`the skill in ${shown(skill.path === '' ? skill.folderName : skill.path)} is refused: ${error.message}`, error) });
    }
  }
  return { named, faults };
}

function nameSkill(skill: SourceSkill, document: SkillDocument): NamedSkill {
  const hostile = document.diagnostics.find(({ code }) => HOSTILE.has(code));
  if (document.status === 'rejected' || hostile) throw refusal(hostile?.message ?? document.reason ?? 'its SKILL.md cannot be read');
  const { name, warning } = folderNameFor(document, skill.folderName);
  const spelling = path.basename(skill.file) === 'SKILL.md' ? [] : [`its file is called ${path.basename(skill.file)}; some programs only read SKILL.md`];
  const findings = document.diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => message);
  return { skill, name, document, warnings: [...(warning === undefined ? [] : [warning]), ...spelling, ...findings] };
}

/** All skills that can be used. Throws `install_refused` when there is none, or two of one name. */
export function allOf({ named, faults }: ReadSkills, label: string): readonly NamedSkill[] {
  const [first] = faults;
  if (first && named.length === 0) throw refusal(`${label}: ${first.error.message}. Nothing was installed.`, first.error);
  return distinct(named, label);
}

/** The skills that are wanted, each from the first of the parts of the source that has it. Throws `skill_not_found` and `install_refused`. */
export function pickSkills(parts: readonly ReadSkills[], wanted: readonly PickedSkill[], label: string): readonly NamedSkill[] {
  return distinct(wanted.flatMap((one) => skillsCalled(parts, one, label)), label);
}

function distinct(chosen: readonly NamedSkill[], label: string): readonly NamedSkill[] {
  const byName = new Map<string, NamedSkill>();
  for (const one of new Set(chosen)) {
    const other = byName.get(one.name);
    if (other) throw refusal(`${label} is refused: it holds two different skills called ${one.name}, in ${shown(other.skill.path)} and ${shown(one.skill.path)}; take one of them by its folder, as --skill ${other.skill.path}. Nothing was installed.`);
    byName.set(one.name, one);
  }
  return [...byName.values()];
}

function skillsCalled(parts: readonly ReadSkills[], { path: inside, name }: PickedSkill, label: string): readonly NamedSkill[] {
  const named = parts.flatMap((part) => part.named);
  const atPath = named.find(({ skill }) => skill.path === (inside ?? name));
  if (atPath) return [atPath];
  const byName = parts.map((part) => part.named.filter((one) => [one.name, one.document.name, one.skill.folderName].includes(name)));
  const found = byName.find((group) => group.length > 0);
  if (found) return found;
  const fault = parts.flatMap((part) => part.faults).find(({ skill }) => skill.path === name || skill.folderName === name);
  if (fault) throw refusal(`${label}: ${fault.error.message}. Nothing was installed.`, fault.error);
  const names = named.map((one) => one.name);
  const near = mostSimilar(name, names, 3);
  throw new SkillmintError('skill_not_found', `${label} holds no skill ${shown(name)}; ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it holds ${listText(names)}.`} Nothing was installed.`);
}
