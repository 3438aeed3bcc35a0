import type { Environment } from '../protocol/events.ts';
import type { SessionState } from '../protocol/session-state.ts';
import rules from './system-prompt.md';

const SUB_AGENT = 'You carry out one task for another agent, which sees nothing of your work but your last message: say there what you did, what came out and where it lies.';

/** What the system prompt is made of beside the session's own facts. */
export interface PromptParts {
  readonly maxSteps: number;
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  /** Of the settings; replaces the built-in rules. */
  readonly systemPrompt?: string | undefined;
  /** Of the settings; added for every session. */
  readonly userPrompt?: string | undefined;
}

/**
 * The system prompt of a session. It depends only on facts that were stored at the session's start and on settings,
 * so that it is the same in every request and its prefix can be cached.
 */
export function systemPrompt(state: Pick<SessionState, 'cwd' | 'add_dirs' | 'environment' | 'skills' | 'parent_run'>, parts: PromptParts): string {
  const bound = [...state.skills.values()].filter((skill) => skill.trigger === 'bound').map((skill) => skill.body);
  return [parts.systemPrompt ?? rules, ...bound, ...(state.parent_run ? [SUB_AGENT] : []), parts.userPrompt, environmentBlock(state.cwd, state.add_dirs, state.environment, parts)].filter(Boolean).join('\n\n');
}

function environmentBlock(cwd: string, addDirs: readonly string[], environment: Environment, parts: PromptParts): string {
  const lines = [
    `Working folder: ${cwd}`,
    ...(addDirs.length > 0 ? [`Further folders: ${addDirs.join(', ')}`] : []),
    ...(environment.git_branch ? [`Git branch at the start: ${environment.git_branch}`] : []),
    `Platform: ${environment.platform}. Date: ${environment.date}.`,
    `Model: ${parts.model}. At most ${parts.maxSteps} steps a turn.`,
  ];
  return `<environment>\n${lines.join('\n')}\n</environment>`;
}
