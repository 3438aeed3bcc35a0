import type { AgentTool } from '../../agent/ports.ts';
import { parseRules } from '../../permissions/rules.ts';
import { textOf } from '../../protocol/content.ts';
import type { Tool } from '../../tools/define.ts';
import { permit, type PermitParts } from '../permit.ts';

const LONGEST_MS = 120_000;

/** The tool that runs commands, and what decides on it. */
export interface InjectedParts {
  readonly tool: Tool | undefined;
  readonly agentTool: AgentTool | undefined;
  readonly permit: PermitParts;
}

/**
 * Runs a command out of a skill's instructions. It is decided like any other, with the skill's own grants, and nobody is
 * asked: what would ask does not run. A failure is told in the text.
 */
export async function runInjected({ tool, agentTool, permit: parts }: InjectedParts, command: string, { grants, signal }: { readonly grants: readonly string[]; readonly signal: AbortSignal }): Promise<string> {
  if (!tool || !agentTool) return '[command not run: this session has no tool that runs commands]';
  const input = { command, timeout: LONGEST_MS };
  const added = parseRules({ allow: grants, ask: [], deny: [] }).rules.allow;
  const rules = parts.rules();
  const verdict = await permit({ ...parts, rules: () => ({ ...rules, allow: [...rules.allow, ...added] }) }, tool, { input, repeats: 0 });
  if (verdict.verdict !== 'allow') return `[command not run: ${verdict.reason}${verdict.verdict === 'ask' && verdict.rules.length > 0 ? `; the rule ${verdict.rules.join(' and ')} would allow it` : ''}]`;
  const outcome = await agentTool.run(input, { call_id: '', signal, emit: () => undefined });
  if (outcome.status === 'waiting') return '[command not run: it waits for a person]';
  const text = textOf(outcome.content);
  const code = outcome.details?.['exit_code'];
  return outcome.status === 'ok' ? text.replace(/^\(no output\)$/, '') : `[command failed: ${typeof code === 'number' ? `exit ${code}` : 'it did not end by itself'}]${text === '' ? '' : `\n${text}`}`;
}
