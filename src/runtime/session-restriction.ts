import { restrictTo, type Restriction } from '../permissions/restrict.ts';
import { parseRule } from '../permissions/rule.ts';
import type { Restrictions } from '../protocol/events.ts';
import type { SessionState } from '../protocol/session-state.ts';

/** The lists that hold as long as the session does: of the skill that it is bound to, and what the session that started it leaves. */
export function standingLists({ bound, restrictions }: Pick<SessionState, 'bound' | 'restrictions'>): readonly (readonly string[])[] {
  return [...(restrictions.allowed ?? []), ...(bound?.allowed_tools ? [bound.allowed_tools] : [])];
}

/** What a session leaves to a sub-agent that it starts: no more than it may do itself now. */
export function restrictionsFor(state: SessionState): Restrictions {
  const allowed = listsOf(state);
  const disallowed = [...(state.restrictions.disallowed ?? []), ...[...state.skill_effects.values()].flatMap((effects) => effects.disallowed ?? [])];
  return { ...(allowed.length > 0 ? { allowed } : {}), ...(disallowed.length > 0 ? { disallowed } : {}) };
}

function listsOf(state: SessionState): readonly (readonly string[])[] {
  return [...standingLists(state), ...[...state.skill_effects.values()].flatMap(({ restricts }) => (restricts ? [restricts] : []))];
}

/** What all lists of a session leave of its calls; each of them has to let a call pass. */
export function sessionRestriction(state: SessionState): Restriction {
  let key = '';
  let restrictions: readonly Restriction[] = [];
  return (subject) => {
    // It only tells what there is.
    if (subject.tool === 'FindTools') return undefined;
    const lists = listsOf(state);
    const now = JSON.stringify(lists);
    if (now !== key) restrictions = lists.map(restrictionOf);
    key = now;
    for (const restriction of restrictions) {
      const refusal = restriction(subject);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  };
}

/** Entries that cannot be understood allow nothing. */
function restrictionOf(allowedTools: readonly string[]): Restriction {
  return restrictTo(allowedTools.flatMap((text) => {
    const parsed = parseRule(text, { purpose: 'restrict' });
    return 'rule' in parsed ? [parsed.rule] : [];
  }));
}
