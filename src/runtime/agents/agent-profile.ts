import type { SkillVerdict } from '../../protocol/events.ts';
import type { PermissionMode } from '../../protocol/permission.ts';

/** A kind of sub-agent: built in, or from a file. What it sets only takes away from what the session may do that starts it. */
export interface AgentProfile {
  readonly name: string;
  /** What it is for, in one sentence. */
  readonly description: string;
  readonly source: 'built-in' | 'project' | 'user' | 'plugin';
  /** The file that it comes from, absolute. */
  readonly path?: string;
  /** Added to the system prompt. */
  readonly instructions?: string;
  /** Tools that it has, as entries of `allowed-tools`; all when left out. */
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** It changes nothing, and its commands may only show something. */
  readonly readOnly?: true;
  /** It runs beside the turn, also where the call does not say so. */
  readonly background?: true;
  /** It works in a git worktree of its own, also where the call does not say so. */
  readonly isolated?: true;
  /** At most this mode. */
  readonly mode?: PermissionMode;
  /** Replies of the model in its turn. */
  readonly maxSteps?: number;
  /** As the file has it: an id, an alias or `PROVIDER/MODEL`. */
  readonly model?: string;
  /** Skills that are in force from its beginning. */
  readonly skills?: readonly string[];
  /** Pattern for names of skills → what holds for them. */
  readonly skillPermissions?: Readonly<Record<string, SkillVerdict>>;
  /** Sentences on what of the file does not count. */
  readonly notices?: readonly string[];
}

/** A file that names an agent and cannot be used. */
export interface AgentProblem {
  readonly name: string;
  readonly path: string;
  readonly reason: string;
}

/** The agents that a session can start, in the order of their precedence, each name once. */
export interface AgentCatalogue {
  readonly profiles: readonly AgentProfile[];
  readonly problems: readonly AgentProblem[];
}

/** The one that is meant where none is named. */
export const GENERAL_AGENT: AgentProfile = { name: 'general-purpose', description: 'Any task of several steps.', source: 'built-in', maxSteps: 10 };

const LOOKING = ['Read', 'Glob', 'Grep'] as const;

/** The agents that every session has. */
export const BUILT_IN_AGENTS: readonly AgentProfile[] = [
  GENERAL_AGENT,
  { name: 'explore', description: 'Searches and reads files.', source: 'built-in', tools: LOOKING, maxSteps: 5 },
  { name: 'plan', description: 'Works out a plan, and changes nothing.', source: 'built-in', tools: [...LOOKING, 'Bash'], readOnly: true, maxSteps: 10 },
];
