import { SKILL_ENDPOINTS as API } from '../../api/skill-endpoints.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { route, type Route } from '../route.ts';

/** Making a skill: of the person's own words, or by the skill agent. */
export function createRoute(): Route {
  return route(API.createSkill, async ({ tenant, signal, body: { cwd: given, prompt, name, description, instructions, source, model } }) => {
    const cwd = allowedFolder(tenant, given);
    if (prompt === undefined) {
      if (name === undefined || description === undefined || source === undefined) throw new SkillmintError('invalid_argument', 'Give "name", "description" and "source", or "prompt" for a skill that the skill agent writes.');
      if (model !== undefined) throw new SkillmintError('invalid_argument', '"model" goes with "prompt" alone.');
      return (await tenant.runtime.library(cwd)).create({ name, description, ...(instructions === undefined ? {} : { instructions }) }, source);
    }
    if (description !== undefined || instructions !== undefined) throw new SkillmintError('invalid_argument', 'With "prompt" the skill agent writes the skill: leave out "description" and "instructions".');
    const made = await tenant.runtime.skillAgent.create({ request: prompt, cwd, signal, ...(name === undefined ? {} : { name }), ...(source === undefined ? {} : { scope: source }), ...(model === undefined ? {} : { model }) });
    if (made.outcome === 'declined') throw new SkillmintError(made.existing === undefined ? 'output_invalid' : 'skill_exists', `The skill agent made no skill: ${made.reason}${made.existing === undefined ? '' : ` See ${made.existing}.`}`);
    const { id, folder, digest, trusted, summary, warnings, session_id } = made;
    return { id, name: made.name, folder, digest, trusted, summary, warnings, session_id };
  });
}
