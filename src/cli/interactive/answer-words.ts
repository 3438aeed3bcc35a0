import type { OpenRequest } from '../../protocol/session-state.ts';

/** What the key `a` does, where it does something. */
export function alwaysText({ rules, mode }: Pick<Extract<OpenRequest['question'], { kind: 'permission' }>, 'rules' | 'mode'>): string | undefined {
  if (mode !== undefined) return `a = yes, in the mode ${mode}`;
  return rules.length > 0 ? 'a = always' : undefined;
}
