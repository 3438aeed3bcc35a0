import type { SkillEntry } from '../discover/skill-entry.ts';
import type { SkillFile, SkillFiles } from '../files.ts';
import { cut, plainLine } from './plain-line.ts';
import { skillLine } from './skill-line.ts';

/** A skill together with its instructions. */
export interface SkillWithBody {
  readonly entry: SkillEntry;
  readonly body: string;
}

const MOST_FILES = 50;
const DESCRIPTION_CHARS = 300;
const DIRECT_CHARS = 1_000;

/** What the model gets when a skill is loaded: the instructions, where the skill lies, and which files it has. */
export function skillToolText(entry: SkillEntry, body: string, files: SkillFiles): string {
  const name = plainLine(entry.name, 200);
  return [
    `<skill name=${JSON.stringify(name)} folder=${JSON.stringify(entry.folder)}>`,
    // A command is a single file.
    ...(entry.folder === entry.path ? [] : [`Files named in these instructions are relative to ${entry.folder}`, '']),
    contained(body),
    ...fileLines(files),
    '</skill>',
  ].join('\n');
}

/** Prompt form 1: names and descriptions, so that the model knows what exists. Empty for no skills. */
export function awarenessList(entries: readonly SkillEntry[]): string {
  return entries.map((entry) => skillLine(entry, DESCRIPTION_CHARS)).join('\n');
}

/** Prompt form 2, for models without tools: the start of each skill's instructions, 1,000 characters at most. */
export function directText(skills: readonly SkillWithBody[]): string {
  return skills.map(({ entry, body }) => `<skill name=${JSON.stringify(plainLine(entry.name, 200))}>\n${contained(cut(body, DIRECT_CHARS))}\n</skill>`).join('\n\n');
}

/** Prompt form 3: names and descriptions with the way to load one through the tool. Empty for no skills. */
export function toolModeText(entries: readonly SkillEntry[]): string {
  if (entries.length === 0) return '';
  return `Skills are instructions for particular kinds of work. When one fits, load it with the Skill tool before you start.\n${awarenessList(entries)}`;
}

/** The instructions cannot end the frame that they stand in. */
function contained(body: string): string {
  return body.replace(/<(?=\/?skill[\s>])/gi, '&lt;');
}

function fileLines({ files, truncated }: SkillFiles): string[] {
  const others = files.filter((file) => file.kind !== 'instruction');
  if (others.length === 0) return [];
  const shown = [...others].sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1)).slice(0, MOST_FILES);
  const rest = others.length - shown.length;
  return ['', 'Files of this skill (read them when you need them):', ...shown.map((file) => `- ${plainLine(file.path, 300)} (${file.kind})`), ...(rest > 0 ? [`- and ${rest}${truncated ? ' or more' : ''} others`] : [])];
}

function depth(file: SkillFile): number {
  return file.path.split('/').length;
}
