import type { PermissionDecision, PermissionScope } from '../protocol/permission.ts';
import { decide, type DecisionRequest } from './decide.ts';
import { parseRules, type PermissionRules } from './rules.ts';

/** A permission request that waits for an answer. */
export interface OpenRequest {
  readonly requestId: string;
  /** What "always" would store, as it was shown. */
  readonly rules: readonly string[];
  /** The request as it was decided; its rules are replaced by the current ones. */
  readonly request: Omit<DecisionRequest, 'rules'>;
}

/** A person's answer. It carries no rules: only those that were shown can be stored. */
export interface PermissionAnswer {
  readonly requestId: string;
  readonly decision: PermissionDecision;
  readonly scope: PermissionScope;
}

/** What follows from an answer. */
export type Settlement =
  /** Nothing waits under that id: it was answered before, or never asked. */
  | { readonly outcome: 'not open' }
  /** "always" was answered to a call that no rule can cover; it holds for this call alone. */
  | { readonly outcome: 'once'; readonly decision: PermissionDecision; readonly reason?: string }
  /** `added` are new in `rules`; `covered` are other open requests that the new rules decide alike. */
  | { readonly outcome: 'stored'; readonly decision: PermissionDecision; readonly added: readonly string[]; readonly rules: PermissionRules; readonly covered: readonly string[] };

/** Works out what an answer means for the stored rules and for the other requests that wait. Stores nothing itself. */
export function settleAnswer({ answer, open, rules }: { readonly answer: PermissionAnswer; readonly open: readonly OpenRequest[]; readonly rules: PermissionRules }): Settlement {
  const asked = open.find((one) => one.requestId === answer.requestId);
  if (!asked) return { outcome: 'not open' };
  const { decision } = answer;
  if (answer.scope === 'once') return { outcome: 'once', decision };
  if (asked.rules.length === 0) return { outcome: 'once', decision, reason: 'no rule can cover this call, so the answer holds for it alone' };
  const list = decision === 'allow' ? 'allow' : 'deny';
  const added = asked.rules.filter((rule) => !rules[list].includes(rule));
  const next = { ...rules, [list]: [...rules[list], ...added] };
  const parsed = parseRules(next).rules;
  const covered = open
    .filter((one) => one !== asked && decide({ ...one.request, rules: parsed }).verdict === decision)
    .map((one) => one.requestId);
  return { outcome: 'stored', decision, added, rules: next, covered };
}
