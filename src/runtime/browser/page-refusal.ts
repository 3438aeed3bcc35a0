import { decide } from '../../permissions/decide.ts';
import { meets } from '../../permissions/rule-match.ts';
import type { Rule } from '../../permissions/rule.ts';
import { never } from '../../util/never.ts';
import type { PermitParts } from '../permissions/permit.ts';

/**
 * Why rules of the person keep pages from a host. Nobody can be asked in the middle of a page, so ask rules refuse, too, except
 * for hosts whose pages were opened by a call that was decided on (`opened`, in the form of `HOST:PORT`).
 */
export function pageRefusal({ rules, workspace }: Pick<PermitParts, 'rules' | 'workspace'>, opened: ReadonlySet<string>, { host, port }: { readonly host: string; readonly port: number }): string | undefined {
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  if (!URL.canParse(url)) return undefined;
  const { deny, ask } = rules();
  const met = (list: readonly Rule[]): Rule | undefined => list.find((rule) => (rule.kind === 'domain' || rule.kind === 'network') && meets(rule, { tool: 'BrowserNavigate', need: { action: 'network', url }, place: undefined, workspace: workspace() }) !== 'no');
  const denied = met(deny);
  if (denied) return `the rule ${denied.text} denies it`;
  const asking = opened.has(`${host}:${port}`) ? undefined : met(ask);
  return asking && `the rule ${asking.text} wants a question; open a page of it with BrowserNavigate`;
}

/** Why a call that was decided for a page may not act on a frame of another site in it: nobody can be asked in the middle of a call. */
export async function frameRefusal({ rules, workspace, restriction, state }: Pick<PermitParts, 'rules' | 'workspace' | 'restriction' | 'state'>, url: string): Promise<string | undefined> {
  const verdict = decide({ call: { tool: 'BrowserClick', needs: [{ action: 'network', url, acts: true }], readOnly: false }, mode: state.permission_mode, rules: rules(), workspace: workspace(), locate: [], ...(restriction ? { restriction } : {}) });
  switch (verdict.verdict) {
    case 'allow': return undefined;
    case 'deny': return verdict.reason;
    case 'ask': return verdict.rules.length === 0 ? verdict.reason : `${verdict.reason}, and a person can allow that with the rule ${verdict.rules.join(' and ')}`;
    default: return never(verdict);
  }
}
