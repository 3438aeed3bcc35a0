import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { isOfferable } from '../../skills/discover/skill-entry.ts';
import { createInputValidator, type InputValidator } from '../../tools/validate-input.ts';
import { skillService } from '../library/skill-service.ts';
import { entryNamed } from '../library/named-skill.ts';
import type { RuntimeParts } from '../parts.ts';
import { findSkillsTool } from './find-skills-tool.ts';
import instructions from './instructions.md';
import { loadSkillTool } from './load-skill-tool.ts';
import { readSkillFileTool } from './read-skill-file-tool.ts';
import { runSkillScriptTool } from './run-skill-script-tool.ts';
import type { SkillTool, SkillTools, SkillToolsOptions } from './skill-tool.ts';
import type { SkillToolParts } from './skill-tool-parts.ts';

/** Skills that the instructions name for a task; as many as a turn of our own is offered. */
const NAMED = 8;

/** Opens what others can do with the skills of a folder: find, load, read, run. One mechanism for every loop that is not our own. */
export async function openSkillTools(parts: RuntimeParts, { cwd: folder = '.', query }: SkillToolsOptions): Promise<SkillTools> {
  const cwd = path.resolve(folder);
  const tools: SkillToolParts = { parts, cwd, service: skillService(parts, cwd), skillNamed: (name) => offerable(parts, cwd, name) };
  const validate = createInputValidator();
  const find = findSkillsTool(tools);
  const found = query?.trim() ? await find.call({ query, k: NAMED }) : undefined;
  return { instructions: [instructions.trim(), ...(found ? [found.text] : [])].join('\n\n'), tools: [find, loadSkillTool(tools), readSkillFileTool(tools), runSkillScriptTool(tools)].map((tool) => asResults(tool, validate)) };
}

/** The skill that a model may use by this name. @throws SkillmintError skill_not_found, permission_denied for one that is only for persons or cannot be used */
async function offerable(parts: RuntimeParts, cwd: string, name: string): Promise<SkillEntry> {
  const { view } = await parts.skillViews.open(cwd, await parts.settings(cwd));
  const found = await view.resolve(name);
  const entry = entryNamed(name, found);
  if (found.kind === 'unusable') throw new SkillmintError('permission_denied', `The skill ${entry.id} cannot be used: ${found.reason}.`);
  if (!isOfferable(entry)) throw new SkillmintError('permission_denied', `The skill ${entry.id} is only for persons to call (disable-model-invocation), or about skills themselves.`);
  return entry;
}

/** Arguments are held to the schema, and what goes wrong is told to the model, which can do better. */
function asResults(tool: SkillTool, validate: InputValidator): SkillTool {
  const spec = { name: tool.name, description: tool.description, input_schema: tool.inputSchema };
  return {
    ...tool,
    async call(given: JsonObject, context) {
      try {
        const valid = validate({ spec }, given);
        if ('problem' in valid) throw new SkillmintError('invalid_argument', valid.problem);
        return await tool.call(valid.input, context);
      } catch (error) {
        if (error instanceof SkillmintError) return { text: error.message, isError: true, data: { code: error.code } };
        throw error;
      }
    },
  };
}
