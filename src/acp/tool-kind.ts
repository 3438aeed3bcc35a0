import type { ToolKind } from '@agentclientprotocol/sdk';
import { canonicalToolName } from '../protocol/tool-names.ts';

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  Write: 'edit',
  Edit: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  FindTools: 'search',
  WebSearch: 'search',
  WebFetch: 'fetch',
  Bash: 'execute',
  BashOutput: 'execute',
  KillShell: 'execute',
  Task: 'think',
  TaskOutput: 'think',
  TodoWrite: 'think',
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
};

/** What an editor shows a call as. */
export function toolKind(tool: string): ToolKind {
  const name = canonicalToolName(tool);
  return KINDS[name] ?? (/^Browser[A-Z]/.test(name) ? 'fetch' : 'other');
}
