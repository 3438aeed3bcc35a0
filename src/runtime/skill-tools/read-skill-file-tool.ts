import { SkillmintError } from '../../protocol/errors.ts';
import { readSkillFile } from '../../skills/files.ts';
import { countIn, textIn } from './tool-input.ts';
import type { SkillTool } from './skill-tool.ts';
import type { SkillToolParts } from './skill-tool-parts.ts';

/** Characters of one answer. */
const MOST_CHARS = 100_000;

/** Gives the text of a file of a skill. */
export function readSkillFileTool({ parts, skillNamed }: SkillToolParts): SkillTool {
  return {
    name: 'read_skill_file',
    description: 'Reads a text file of a skill, such as references/guide.md.',
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', minLength: 1, description: 'Name or id.' },
        path: { type: 'string', minLength: 1, description: "Relative to the skill's folder." },
        from_line: { type: 'integer', minimum: 1, description: 'The first line that is wanted; 1 when left out.' },
      },
      required: ['skill', 'path'], additionalProperties: false,
    },
    readOnly: true,
    async call(input) {
      const entry = await skillNamed(textIn(input, 'skill'));
      const file = textIn(input, 'path');
      const bytes = readSkillFile(parts.host.tree, entry.folder, file);
      const whole = decoded(bytes);
      if (whole === undefined) throw new SkillmintError('invalid_argument', `${file} of ${entry.id} is no text (${bytes.length} bytes). A script of the skill can work with it.`);
      const from = countIn(input, 'from_line', 1);
      const rest = from === 1 ? whole : whole.split('\n').slice(from - 1).join('\n');
      const shown = rest.slice(0, MOST_CHARS);
      const next = from + shown.split('\n').length - 1;
      return { text: shown.length === rest.length ? shown : `${shown}\n[cut after ${MOST_CHARS} characters; go on with from_line ${next}]`, isError: false };
    },
  };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
