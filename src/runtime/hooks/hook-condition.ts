import type { HostFiles } from '../../host/host.ts';
import type { Workspace } from '../../permissions/places.ts';
import { meets } from '../../permissions/rule-match.ts';
import { parseRule } from '../../permissions/rule.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Tool } from '../../tools/define.ts';
import { locateAll } from '../permissions/permit.ts';

/** A call and what its paths are compared with. */
export interface ConditionalCall {
  readonly tool: Pick<Tool, 'spec' | 'needs'> | undefined;
  readonly input: JsonObject;
  readonly files: HostFiles;
  readonly cwd: string;
  readonly workspace: Workspace;
}

/** Whether a call meets a permission rule, as deny rules are met: in any part of a command, and where it cannot be decided, too. */
export async function meetsCondition(text: string, { tool, input, files, cwd, workspace }: ConditionalCall): Promise<boolean> {
  const parsed = parseRule(text, { purpose: 'restrict' });
  if (!tool || !('rule' in parsed)) return false;
  const needs = tool.needs(input, { cwd });
  const { subjectsOf } = await import('../../permissions/decide.ts');
  const subjects = subjectsOf({ call: { tool: tool.spec.name, needs }, locate: await locateAll(files, needs), rules: { allow: [], ask: [], deny: [] }, workspace });
  return subjects.some((subject) => meets(parsed.rule, subject) !== 'no');
}
