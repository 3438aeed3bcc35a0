import { decide, type DecisionRequest } from '../../src/permissions/decide.ts';
import type { LocatedPath, Workspace } from '../../src/permissions/places.ts';
import { parseRules, type PermissionRules } from '../../src/permissions/rules.ts';
import type { PermissionMode, PermissionNeed, PermissionVerdict } from '../../src/protocol/permission.ts';

export const workspace: Workspace = { roots: ['/ws', '/added'], readableRoots: ['/skills/pdf'], home: '/home/u' };

/** Rules with the lists that matter; every one has to parse. */
export function rulesOf(rules: Partial<PermissionRules>): DecisionRequest['rules'] {
  const parsed = parseRules({ allow: [], ask: [], deny: [], ...rules });
  if (parsed.problems.length > 0) throw new Error(parsed.problems.map((one) => one.problem).join('\n'));
  return parsed.rules;
}

interface Asked {
  readonly tool: string;
  readonly need?: PermissionNeed;
  readonly mode?: PermissionMode;
  readonly rules?: Partial<PermissionRules>;
  readonly locate?: readonly LocatedPath[];
  readonly restriction?: DecisionRequest['restriction'];
}

/** Decides one call in a workspace at /ws; paths are where they say they are unless `locate` tells otherwise. */
export function ask({ tool, need, mode = 'default', rules = {}, locate, restriction }: Asked): PermissionVerdict {
  const here = need && 'path' in need ? [{ path: need.path, real: need.path }] : [];
  return decide({ call: { tool, needs: need ? [need] : [] }, mode, rules: rulesOf(rules), workspace, locate: locate ?? here, ...(restriction ? { restriction } : {}) });
}

export const bash = (command: string, more: Omit<Asked, 'tool' | 'need'> = {}): PermissionVerdict => ask({ tool: 'Bash', need: { action: 'command', command }, ...more });
export const read = (path: string, more: Omit<Asked, 'tool' | 'need'> & { readonly tool?: string } = {}): PermissionVerdict => ask({ tool: 'Read', need: { action: 'read', path }, ...more });
export const edit = (path: string, more: Omit<Asked, 'tool' | 'need'> & { readonly tool?: string } = {}): PermissionVerdict => ask({ tool: 'Edit', need: { action: 'edit', path }, ...more });
