import { SkillmintError } from '../../protocol/errors.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import { rankedSkills } from './ranked-skills.ts';
import type { Operation, Taken } from './operation.ts';
import type { ChosenSkill, SkillSearchRequest } from './skill-agent.ts';

const MOST = 20;
const USUAL = 8;

/** What a search comes to. */
export interface FoundSkills {
  readonly skills: readonly ChosenSkill[];
}

/** Chooses the skills that fit a request, by what it means and not only by its words. */
export const SEARCH: Operation<SkillSearchRequest, FoundSkills> = {
  name: 'search for skills',
  writes: false,
  maxSteps: 8,
  maxCostUsd: 0.5,
  answer: {
    type: 'object',
    properties: {
      skills: {
        type: 'array',
        maxItems: MOST,
        description: 'Best first; empty when none fits.',
        items: {
          type: 'object',
          properties: { id: { type: 'string', description: 'As it stands in the list.' }, reason: { type: 'string', description: 'Why it fits, in one sentence.' } },
          required: ['id', 'reason'],
          additionalProperties: false,
        },
      },
    },
    required: ['skills'],
    additionalProperties: false,
  },
  async open({ skills }, { query, k = USUAL }) {
    if (query.trim() === '') throw new SkillmintError('usage', 'The query is empty. Say what a skill is wanted for.');
    if (!Number.isInteger(k) || k < 1 || k > MOST) throw new SkillmintError('usage', `At most ${MOST} skills can be asked for, and at least one.`);
    return {
      task: `Operation: search. Choose the skills that fit this request, at most ${k}, best first, and none that only shares words with it. Look for others with FindTools where the list below does not have what is needed; try other words, in English too.\n\n<request>\n${query}\n</request>\n\n${await rankedSkills(skills, query)}`,
      allow: [],
      take: (answer) => chosenSkills(skills, answer, k),
      leave: async () => '',
    };
  },
};

/** Those that exist and can be used; an answer with no other names is wrong as a whole. */
async function chosenSkills(skills: SkillView, answer: JsonObject, k: number): Promise<Taken<FoundSkills>> {
  const given = Array.isArray(answer['skills']) ? answer['skills'].filter(isObject) : [];
  const chosen = new Map<string, ChosenSkill>();
  const unknown: string[] = [];
  for (const { id, reason } of given) {
    const found = await skills.resolve(String(id));
    if (found.kind !== 'found') unknown.push(String(id));
    else if (!chosen.has(found.entry.id)) chosen.set(found.entry.id, { id: found.entry.id, name: found.entry.name, description: found.entry.description, reason: String(reason) });
  }
  const names = unknown.map((id) => JSON.stringify(id.slice(0, 100))).join(', ');
  if (chosen.size === 0 && unknown.length > 0) return { kind: 'mend', problem: `There is no skill ${names}. Name skills by the ids of the list or of FindTools, and none where none fits.` };
  return { kind: 'done', result: { skills: [...chosen.values()].slice(0, k) }, warnings: unknown.length > 0 ? [`The agent also named ${names}, which cannot be used or does not exist.`] : [] };
}
