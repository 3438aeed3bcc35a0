import type { Environment } from '../../protocol/events.ts';
import { agentBlock } from '../agents/list-agents.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import rules from './system-prompt.md';

const SUB_AGENT = 'You carry out one task for another agent, which sees nothing of your work but your last message: say there what you did, what came out and where it lies.';

const IN_WORKTREE = 'Your working folder is a git worktree on a branch of its own: change files only there, and commit what is to stay.';

/** Names of servers that the prompt holds. */
const MOST_SERVERS = 20;

/** What the system prompt is made of beside the session's own facts. */
export interface PromptParts {
  readonly maxSteps: number;
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  /** Of the settings; replaces the built-in rules. */
  readonly systemPrompt?: string | undefined;
  /** Servers whose tools `FindTools` finds. */
  readonly mcpServers?: readonly string[] | undefined;
  /** Sub-agents can be started. */
  readonly startsAgents?: boolean;
  /** Of the settings; added for every session. */
  readonly userPrompt?: string | undefined;
}

/**
 * The system prompt of a session. It depends only on settings and on facts that were stored at the session's start, or when a
 * turn found the project's instructions changed, so that it is the same in every request and its prefix can be cached.
 */
export function systemPrompt(state: Pick<SessionState, 'cwd' | 'add_dirs' | 'environment' | 'skills' | 'parent_run' | 'agent' | 'listed_agents' | 'instructions'>, parts: PromptParts): string {
  const bound = [...state.skills.values()].filter((skill) => skill.trigger === 'bound').map((skill) => skill.body);
  return [parts.systemPrompt ?? rules, state.agent?.instructions, ...bound, ...(state.parent_run ? [state.agent?.worktree ? `${SUB_AGENT} ${IN_WORKTREE}` : SUB_AGENT] : []), parts.userPrompt, parts.startsAgents ? agentBlock(state.listed_agents) : '', state.instructions, environmentBlock(state.cwd, state.add_dirs, state.environment, parts)].filter(Boolean).join('\n\n');
}

function environmentBlock(cwd: string, addDirs: readonly string[], environment: Environment, parts: PromptParts): string {
  const servers = parts.mcpServers ?? [];
  const lines = [
    `Working folder: ${cwd}`,
    ...(addDirs.length > 0 ? [`Further folders: ${addDirs.join(', ')}`] : []),
    ...(environment.git_branch ? [`Git branch at the start: ${environment.git_branch}`] : []),
    `Platform: ${environment.platform}. Date: ${environment.date}.`,
    ...(servers.length > 0 ? [`MCP servers, whose tools FindTools finds: ${servers.slice(0, MOST_SERVERS).join(', ')}${servers.length > MOST_SERVERS ? ' and others' : ''}`] : []),
    `Model: ${parts.model}. At most ${parts.maxSteps} steps a turn.`,
  ];
  return `<environment>\n${lines.join('\n')}\n</environment>`;
}
