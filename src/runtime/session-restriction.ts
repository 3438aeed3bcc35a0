import { restrictTo, type Restriction } from '../permissions/restrict.ts';
import { parseRule } from '../permissions/rule.ts';
import type { SessionState } from '../protocol/session-state.ts';

/** What the skill that a session is bound to, and those that restrict the turn, leave of all calls; each of them has to let a call pass. */
export function sessionRestriction(state: SessionState): Restriction {
  let key = '';
  let restrictions: readonly Restriction[] = [];
  return (subject) => {
    // It only tells what there is.
    if (subject.tool === 'FindTools') return undefined;
    const lists = [state.bound?.allowed_tools, ...[...state.skill_effects.values()].map((effects) => effects.restricts)].filter((list) => list !== undefined);
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
