import { passHooks } from '../../agent/hook-gate.ts';
import type { AgentPorts, AgentTool } from '../../agent/ports.ts';
import { parseRules } from '../../permissions/rules.ts';
import type { Host } from '../../host/host.ts';
import { textOf } from '../../protocol/content.ts';
import type { CommandOutcome, InjectedCommand } from '../../skills/activate/injected-commands.ts';
import type { Tool } from '../../tools/define.ts';
import { permit, type PermitParts } from '../permissions/permit.ts';

const LONGEST_MS = 120_000;

/** The tool that runs commands, and what decides on it. */
export interface InjectedParts {
  readonly tool: Tool | undefined;
  readonly agentTool: AgentTool | undefined;
  readonly permit: PermitParts;
  readonly platform: Host['platform'];
}

/** How a command is run. */
export interface InjectedOptions {
  /** Permission rules of the skill itself. */
  readonly grants: readonly string[];
  readonly signal: AbortSignal;
  readonly hooks: AgentPorts['hooks'];
}

/**
 * Runs a command out of a skill's instructions. It is decided like any other, with the skill's own grants, and nobody is
 * asked: what would ask does not run.
 */
export async function runInjected({ tool, agentTool, permit: parts, platform }: InjectedParts, { command, shell }: InjectedCommand, { grants, signal, hooks }: InjectedOptions): Promise<CommandOutcome> {
  if (!tool || !agentTool) return { kind: 'refused', why: 'this session has no tool that runs commands' };
  const own = platform === 'win32' ? 'powershell' : 'bash';
  if (shell !== undefined && shell.toLowerCase() !== own) return { kind: 'refused', why: `it is written for ${shell}, and commands run in ${own} here` };
  const asked = { command, timeout: LONGEST_MS };
  const passed = await passHooks({ hooks }, { call: { call_id: '', tool: 'Bash', input: asked, phase: 'requested' }, tool: agentTool, input: asked }, signal);
  if ('refusal' in passed) return { kind: 'refused', why: passed.refusal };
  if (passed.decision === 'ask') return { kind: 'refused', why: passed.reason ?? 'a hook wants a person to be asked' };
  const { input } = passed;
  const added = parseRules({ allow: grants, ask: [], deny: [] }).rules.allow;
  const rules = parts.rules();
  const verdict = await permit({ ...parts, rules: () => ({ ...rules, allow: [...rules.allow, ...added] }) }, tool, { input, repeats: 0 });
  if (verdict.verdict !== 'allow') return { kind: 'refused', why: `${verdict.reason}${verdict.verdict === 'ask' && verdict.rules.length > 0 ? `; the rule ${verdict.rules.join(' and ')} would allow it` : ''}` };
  const outcome = await agentTool.run(input, { call_id: '', signal, emit: () => undefined });
  if (outcome.status === 'waiting') return { kind: 'refused', why: 'it waits for a person' };
  const output = textOf(outcome.content);
  const { exit_code: code, timed_out: timedOut } = outcome.details ?? {};
  if (typeof code !== 'number') return { kind: 'failed', why: timedOut === true ? 'still running after 2 minutes' : 'it did not end by itself', output };
  return { kind: 'exited', code, output: code === 0 ? output.replace(/^\(no output\)$/, '') : output.replace(/\n?\[Exit code \d+\]$/, '') };
}
