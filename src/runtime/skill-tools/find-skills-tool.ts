import { plainLine } from '../../skills/activate/plain-line.ts';
import { countIn, textIn } from './tool-input.ts';
import type { SkillTool } from './skill-tool.ts';
import type { SkillToolParts } from './skill-tool-parts.ts';

const USUAL = 5;
const MOST = 50;
const DESCRIPTION_CHARS = 1_024;

/** Finds skills for a task. */
export function findSkillsTool({ service }: SkillToolParts): SkillTool {
  return {
    name: 'find_skills',
    description: 'Finds skills (instructions for particular kinds of work) that fit a task, best first. Say the task in the words of the person.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', minLength: 1, description: 'The task.' }, k: { type: 'integer', minimum: 1, maximum: MOST, description: `How many at most; ${USUAL} when left out.` } },
      required: ['query'], additionalProperties: false,
    },
    readOnly: true,
    async call(input) {
      const { skills, complete } = await service.search(textIn(input, 'query'), countIn(input, 'k', USUAL));
      const lines = skills.map(({ id, description }) => `- ${id}: ${plainLine(description, DESCRIPTION_CHARS)}`);
      const later = complete ? [] : ['Not all skills have been read yet: ask again in a moment for more.'];
      const text = lines.length === 0 ? ['No skill fits. Work without one.', ...later] : ['Load one with load_skill before you begin:', ...lines, ...later];
      return { text: text.join('\n'), isError: false, data: { skills: skills.map(({ id, name, description, score }) => ({ id, name, description, score })), complete } };
    },
  };
}
