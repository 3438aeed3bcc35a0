import { SkillmintError } from '../../protocol/errors.ts';
import { slots, type Slots } from '../../util/slots.ts';
import type { AgentTurns } from './ask-agent.ts';
import { CREATE } from './create-operation.ts';
import { DECIDE } from './decide-operation.ts';
import { EDIT } from './edit-operation.ts';
import type { Operation } from './operation.ts';
import { placeOfCall, runOperation } from './run-operation.ts';
import { SEARCH } from './search-operation.ts';
import type { SkillAgent, SkillAgentCall, SkillAgentReport } from './skill-agent.ts';

/** The skill agent of a runtime. Each of its methods is an operation of its own file. */
export function openSkillAgent(turns: AgentTurns): SkillAgent {
  const places = new Map<string, Slots>();
  const does = <Q extends SkillAgentCall, R>(operation: Operation<Q, R>) => async (request: Q): Promise<R & SkillAgentReport> => {
    const { cwd, caller } = await placeOfCall(turns, request);
    const place = places.get(cwd) ?? slots();
    places.set(cwd, place);
    const giveBack = await place.take(1, request.signal ?? new AbortController().signal);
    if (!giveBack) throw new SkillmintError('interrupted', 'Interrupted before the skill agent began; nothing was made.');
    try {
      return await runOperation(turns, operation, { request, cwd, caller });
    } finally {
      giveBack();
    }
  };
  return { search: does(SEARCH), create: does(CREATE), decide: does(DECIDE), edit: does(EDIT) };
}
