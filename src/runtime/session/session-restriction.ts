import { restrictTo, restrictToLooking, type Restriction } from '../../permissions/restrict.ts';
import { parseRule } from '../../permissions/rule.ts';
import type { Restrictions } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';

/** The lists that hold as long as the session does: of the skill that it is bound to, of the agent that it is, and what the session that started it leaves. */
export function standingLists({ bound, restrictions, agent }: Pick<SessionState, 'bound' | 'restrictions' | 'agent'>): readonly (readonly string[])[] {
  return [...(restrictions.allowed ?? []), ...(agent?.allowed_tools ?? []), ...(bound?.allowed_tools ? [bound.allowed_tools] : [])];
}

/** What a session leaves to a sub-agent that it starts: no more than it may do itself now. */
export function restrictionsFor(state: SessionState): Restrictions {
  const allowed = listsOf(state);
  const disallowed = [...standingDenials(state), ...effectsDisallow(state)];
  return { ...(allowed.length > 0 ? { allowed } : {}), ...(disallowed.length > 0 ? { disallowed } : {}) };
}

/** Calls that are refused as long as the session lasts: by the session that started it, and by the agent that it is. */
export function standingDenials({ restrictions, agent }: Pick<SessionState, 'restrictions' | 'agent'>): readonly string[] {
  return [...(restrictions.disallowed ?? []), ...(agent?.disallowed_tools ?? [])];
}

function effectsDisallow(state: SessionState): readonly string[] {
  return [...state.skill_effects.values()].flatMap((effects) => effects.disallowed ?? []);
}

function listsOf(state: SessionState): readonly (readonly string[])[] {
  return [...standingLists(state), ...[...state.skill_effects.values()].flatMap(({ restricts }) => (restricts ? [restricts] : []))];
}

/** What all lists of a session leave of its calls; each of them has to let a call pass. */
export function sessionRestriction(state: SessionState): Restriction {
  let key: string | undefined;
  let restrictions: readonly Restriction[] = [];
  const who = state.agent && !state.bound ? 'this sub-agent' : 'this skill';
  const looking = state.agent?.read_only ? [restrictToLooking('this sub-agent')] : [];
  return (subject) => {
    // It only tells what there is; plan mode takes rights away, and the person alone ends it.
    if (subject.tool === 'FindTools' || subject.need.action === 'plan') return undefined;
    const lists = listsOf(state);
    const now = JSON.stringify(lists);
    if (now !== key) restrictions = [...looking, ...lists.map((list) => restrictionOf(list, who))];
    key = now;
    for (const restriction of restrictions) {
      const refusal = restriction(subject);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  };
}

/** Entries that cannot be understood allow nothing. */
function restrictionOf(allowedTools: readonly string[], who: string): Restriction {
  return restrictTo(allowedTools.flatMap((text) => {
    const parsed = parseRule(text, { purpose: 'restrict' });
    return 'rule' in parsed ? [parsed.rule] : [];
  }), who);
}
