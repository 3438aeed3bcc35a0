import { SkillmintError } from '../../protocol/errors.ts';
import { isObject, parseJson, type JsonObject } from '../../protocol/json.ts';
import { injectedCommands } from '../trust/injected-commands.ts';
import { checkNewSkill, type NewSkill } from './create.ts';

/** A skill that a model wrote. */
export interface WrittenSkill extends NewSkill {
  readonly instructions: string;
}

/** The form of a model's answer. */
export const WRITTEN_SKILL_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'At most 64 lower-case letters, digits and single hyphens.' },
    description: { type: 'string', description: 'What the skill does and when to use it, in at most 1,024 characters.' },
    instructions: { type: 'string', description: 'The body of SKILL.md in Markdown, without frontmatter.' },
  },
  required: ['name', 'description', 'instructions'],
  additionalProperties: false,
};

const TASK = `Write an Agent Skill: a SKILL.md that another agent will load when its task fits, and follow.

- name: two or three telling words, lower-case letters, digits and single hyphens.
- description: one or two sentences, what the skill does and, most of all, when to use it, with the words that people use
  for such tasks. The agent decides by it alone whether to load the skill.
- instructions: Markdown without frontmatter, starting with a heading. Steps in the imperative, the reasons for what is not
  obvious, how to check the result, one short example. No preamble, no praise, nothing that every agent knows anyway, and no
  files that do not exist. Fewer than 300 lines. Commands are steps for the agent to run; never write them as !\`command\`.

Answer with one JSON object {"name", "description", "instructions"} and nothing else. The skill that is wanted:`;

/** Has a model write a skill. One answer that is not usable is sent back with the reason. Throws `output_invalid` after the second, and what `ask` throws. */
export async function writeSkill(wish: string, ask: (prompt: string) => Promise<string>): Promise<WrittenSkill> {
  const first = await ask(`${TASK}\n\n${wish}`);
  const problem = problemOf(first);
  if (typeof problem !== 'string') return problem;
  const second = problemOf(await ask(`${TASK}\n\n${wish}\n\nAn earlier answer could not be used: ${problem}\nThe answer was:\n${first}`));
  if (typeof second !== 'string') return second;
  throw new SkillmintError('output_invalid', `The model wrote no skill that can be used: ${second} Say more exactly what you want, or take another model. Nothing was made.`);
}

/** The skill in an answer, or why there is none. */
function problemOf(answer: string): WrittenSkill | string {
  const value = parseJson(answer.trim().replace(/^```(?:json)?\s*\n([^]*)\n```$/, '$1'));
  if (!isObject(value)) return 'It is no JSON object.';
  const { name, description, instructions } = value;
  if (typeof name !== 'string' || typeof description !== 'string' || typeof instructions !== 'string') return 'It lacks name, description or instructions.';
  const skill = { name: name.trim(), description: description.trim(), instructions: instructions.trim() };
  if (/^---[ \t]*\n/.test(skill.instructions)) return 'The instructions begin with frontmatter.';
  // They would run when the skill is loaded, and nobody has looked at them.
  const [command] = injectedCommands(skill.instructions);
  if (command !== undefined) return `The instructions hold a command that runs when they are loaded (${JSON.stringify(command.slice(0, 100))}, marked with an exclamation mark). Write it as a step instead.`;
  try {
    checkNewSkill(skill);
    return skill;
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'usage') return error.message;
    throw error;
  }
}
