import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { checkNewSkill } from '../../skills/library/create.ts';
import { checkEntryPath } from '../../skills/library/entry-path.ts';
import { LIMITS, sizeText } from '../../skills/library/limits.ts';
import { yamlText } from '../../skills/library/yaml-text.ts';
import { checkFields, mapOf, OBJECT, TEXT, type Shape } from './check-fields.ts';
import type { GivenSkill, GivenSkills, SkillSource } from './given-skill.ts';

/** A source that has not given its skills by then has failed, ms. */
const SOURCE_MS = 30_000;

/** Lays skills that are given into folders of their own, named by all that is in them: one set of skills is written once, and never changed. */
export function layingSkills(skills: readonly GivenSkill[], sources: readonly SkillSource[]): GivenSkills {
  let making: Promise<string> | undefined;
  const base = (): Promise<string> => (making ??= fs.mkdtemp(path.join(os.tmpdir(), 'skillmint-skills-')).then((folder) => fs.realpath(folder)));
  return {
    async roots(cwd) {
      const all = [...skills];
      for (const source of sources) all.push(...(await gathered(source, cwd)));
      if (all.length === 0) return [];
      const files = filesOf(all);
      const folder = path.join(await base(), digestOf(files));
      await lay(folder, files);
      return [{ folder, source: 'memory', namedBy: undefined }];
    },
    async close() {
      if (making) await fs.rm(await making, { recursive: true, force: true });
    },
  };
}

/** @throws SkillmintError call_failed with what the source has thrown, and where it gives nothing for long */
async function gathered(source: SkillSource, cwd: string): Promise<readonly GivenSkill[]> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new Error(`it has not given all of its skills within ${SOURCE_MS / 1000} s`));
    }, SOURCE_MS);
  });
  try {
    return await Promise.race([allOf(source, cwd, () => isLate), late]);
  } catch (error) {
    throw new SkillmintError('call_failed', `A source of skills (skillSources) failed: ${messageOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function allOf(source: SkillSource, cwd: string, isLate: () => boolean): Promise<readonly GivenSkill[]> {
  const given = source({ cwd });
  if (!(Symbol.asyncIterator in given)) return listIn(await given);
  const skills: GivenSkill[] = [];
  for await (const skill of given) {
    if (isLate()) break;
    skills.push(skill);
  }
  return skills;
}

function listIn(given: readonly GivenSkill[]): readonly GivenSkill[] {
  if (!Array.isArray(given)) throw new TypeError('it gave no list of skills');
  return given;
}

const FIELDS = { name: TEXT, description: TEXT, instructions: TEXT, frontmatter: OBJECT, files: mapOf({ is: (value) => typeof value === 'string' || value instanceof Uint8Array, says: '' }, 'texts or bytes, by their paths') } as const satisfies Readonly<Record<keyof GivenSkill, Shape>>;

/** @throws SkillmintError invalid_argument, usage */
function checkGiven(skill: GivenSkill): void {
  checkFields(`A skill that is given${isObject(skill) && typeof skill.name === 'string' ? ` (${skill.name})` : ''}`, skill, FIELDS);
  for (const needed of ['name', 'description', 'instructions'] as const) if (skill[needed] === undefined) throw new SkillmintError('invalid_argument', `A skill that is given${skill.name === undefined ? '' : ` (${skill.name})`} has no ${needed}.`);
  const twice = ['name', 'description'].find((field) => Object.hasOwn(skill.frontmatter ?? {}, field));
  if (twice !== undefined) throw new SkillmintError('invalid_argument', `The frontmatter of the skill ${skill.name} has the field ${twice}, which stands beside it. Leave one of the two out.`);
  checkNewSkill(skill);
}

interface GivenFile {
  readonly at: string;
  readonly bytes: Uint8Array;
}

function filesOf(skills: readonly GivenSkill[]): readonly GivenFile[] {
  const names = new Set<string>();
  return skills.flatMap((skill) => {
    checkGiven(skill);
    if (names.has(skill.name)) throw new SkillmintError('usage', `Two skills named ${skill.name} were given. Give each a name of its own.`);
    names.add(skill.name);
    const others = Object.entries(skill.files ?? {}).map(([at, content]) => givenFile(skill, at, content));
    return [{ at: `${skill.name}/SKILL.md`, bytes: Buffer.from(skillText(skill)) }, ...others];
  });
}

function givenFile({ name }: GivenSkill, at: string, content: string | Uint8Array): GivenFile {
  const { path: inside, isFolder } = checkEntryPath(at);
  if (isFolder || inside === '' || inside.toLowerCase() === 'skill.md') throw new SkillmintError('usage', `${JSON.stringify(at)} cannot be a file of the skill ${name}: name a file beside its SKILL.md, which is made of its fields.`);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  if (bytes.length > LIMITS.fileBytes) throw new SkillmintError('usage', `${at} of the skill ${name} is larger than ${sizeText(LIMITS.fileBytes)}.`);
  return { at: `${name}/${inside}`, bytes };
}

/** Values of further fields stand as JSON, which is YAML. */
function skillText({ name, description, instructions, frontmatter = {} }: GivenSkill): string {
  const further = Object.entries(frontmatter).map(([key, value]) => `${yamlText(key)}: ${JSON.stringify(value)}\n`);
  return `---\nname: ${yamlText(name)}\ndescription: ${yamlText(description)}\n${further.join('')}---\n\n${instructions.trim()}\n`;
}

function digestOf(files: readonly GivenFile[]): string {
  const hash = createHash('sha256');
  for (const { at, bytes } of files) hash.update(`${at}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 32);
}

/** Written beside its place and put there as a whole, so that nobody sees half of it. */
async function lay(folder: string, files: readonly GivenFile[]): Promise<void> {
  if (await fs.stat(folder).then(() => true, () => false)) return;
  const staged = `${folder}.${randomBytes(4).toString('hex')}`;
  for (const { at, bytes } of files) {
    const file = path.join(staged, at);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, bytes, { mode: isScript(bytes) ? 0o755 : 0o644 });
  }
  try {
    await fs.rename(staged, folder);
  } catch (error) {
    await fs.rm(staged, { recursive: true, force: true });
    // Another turn has put the same there at the same moment.
    if (!(await fs.stat(folder).then(() => true, () => false))) throw error;
  }
}

function isScript(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}
