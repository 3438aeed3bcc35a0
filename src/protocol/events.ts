import type { AssistantPart, UserPart, ResultPart } from './content.ts';
import type { Hook, HookDecision, HookEvent, HookStatus } from './hook.ts';
import type { JsonObject } from './json.ts';
import type { CallPlace, PermissionDecision, PermissionMode, PermissionScope } from './permission.ts';
import type { AskedQuestion } from './question.ts';
import type { SkillTrigger } from './skill.ts';
import type { Todo } from './todo.ts';
import type { Usage } from './usage.ts';

/** State of the sandbox, shown by every face. */
export type SandboxState = 'isolated' | 'limited' | 'not isolated';

/** How a turn ended. `waiting` goes on after an answer, under the same `turn_id`. */
export type TurnStatus = 'done' | 'waiting' | 'failed' | 'limit' | 'cancelled';

/** Facts about the machine at the session's start; the system prompt is rendered from them, so that it never changes. */
export interface Environment {
  readonly platform: string;
  readonly date: string;
  readonly git_branch?: string;
}

/** How much a model is to think. */
export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** What a person set for one turn; kept with it, so that an answer from another process goes on the same way. */
export interface TurnOptions {
  readonly tools?: 'none';
  /** `find`: none is offered and none is called by its name in the text, but the model may look for them. */
  readonly skills?: 'find' | 'none';
  readonly max_steps?: number;
  readonly max_cost_usd?: number;
  readonly effort?: EffortLevel;
  readonly output_schema?: JsonObject;
  /** Permission rules given with the prompt. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly sandbox?: 'required' | 'ask' | 'off';
}

/** The skill that a session is bound to, as it stood at the start: a later change of its file gives no further tools. */
export interface BoundSkill {
  readonly skill_id: string;
  /** Absolute path of its SKILL.md. */
  readonly path: string;
  /** Entries of `allowed-tools`, `Tool` or `Tool(specification)`; every tool when left out. */
  readonly allowed_tools?: readonly string[];
  readonly max_steps?: number;
  /** Share of the context window from which the history is compacted. */
  readonly compact_at?: number;
}

/** What a skill does to the rest of the turn in which it is loaded. It ends with the next message of the person. */
export interface SkillEffects {
  /** Calls that need no question, as permission rules; only of a trusted skill. */
  readonly grants?: readonly string[];
  /** The calls that are left, as permission rules; where the settings want `allowed-tools` to restrict. */
  readonly restricts?: readonly string[];
  /** Calls that are refused, as permission rules. */
  readonly disallowed?: readonly string[];
  /** `PROVIDER/MODEL`; only of a trusted skill. */
  readonly model?: string;
  /** Only of a trusted skill. */
  readonly effort?: EffortLevel;
}

/** A command that stood in a skill's instructions: how it ended, or why it did not run. */
export interface InjectedRun {
  readonly command: string;
  readonly exit_code?: number;
  readonly why?: string;
}

/** What the session that started a sub-agent leaves of its calls, as permission rules. */
export interface Restrictions {
  /** Lists of calls; each of them has to have a call. */
  readonly allowed?: readonly (readonly string[])[];
  /** Calls that are refused. */
  readonly disallowed?: readonly string[];
}

/** The session that a run of a sub-agent belongs to. */
export interface ParentRun {
  readonly session_id: string;
  readonly task_id: string;
}

/** What an agent file says of a skill. */
export type SkillVerdict = 'allow' | 'ask' | 'deny';

/** What a sub-agent is, as its profile stood when it began: a later change of the file gives no further rights. */
export interface AgentFacts {
  /** Name of the profile. */
  readonly type: string;
  /** 1 where a session of a person has started it. */
  readonly depth: number;
  /** Text of the profile for the system prompt. */
  readonly instructions?: string;
  /** Lists of tools, as entries of `allowed-tools`; each of them has to have a call. */
  readonly allowed_tools?: readonly (readonly string[])[];
  /** Calls that are refused, as permission rules. */
  readonly disallowed_tools?: readonly string[];
  /** Commands may only show something, and nothing is changed. */
  readonly read_only?: true;
  /** At most this mode, whatever that of the session that started it. */
  readonly mode?: PermissionMode;
  readonly max_steps?: number;
  /** Maps of patterns for names of skills → what holds for them; the strictest answer of all maps counts. */
  readonly skill_permissions?: readonly Readonly<Record<string, SkillVerdict>>[];
  /** Set where the session's folder is a git worktree that was made for it, or for the agent which has started it. */
  readonly worktree?: WorktreeFacts;
}

/** A git worktree of a sub-agent. */
export interface WorktreeFacts {
  /** Folder of the session that it was made for: settings, skills and instructions come from there. */
  readonly of: string;
  readonly branch: string;
  /** The commit that it began with. */
  readonly base: string;
}

/** An agent of the person or the project, as the model is told of it. */
export interface ListedAgent {
  readonly name: string;
  readonly description: string;
}

/** An error as data. */
export interface EventError {
  readonly code: string;
  readonly message: string;
}

/** Events that are stored. The session's state is a fold over them. */
export type StoredBody =
  | { readonly type: 'session.started'; readonly cwd: string; readonly model: string; readonly permission_mode: PermissionMode; readonly tools: readonly string[]; readonly skills_total: number; readonly sandbox: SandboxState; readonly environment: Environment; readonly add_dirs?: readonly string[]; readonly bound?: BoundSkill; readonly parent?: ParentRun; readonly restrictions?: Restrictions; readonly agent?: AgentFacts; readonly agents?: readonly ListedAgent[] }
  | { readonly type: 'session.forked'; readonly parent_id: string; readonly at_seq: number }
  /** `text` stands in the system prompt from now on, in the place of an earlier one; empty where the files are gone. */
  | { readonly type: 'instructions.loaded'; readonly files: readonly string[]; readonly text: string }
  | { readonly type: 'turn.started'; readonly turn_id: string; readonly input: readonly UserPart[]; readonly options?: TurnOptions; readonly note?: string; readonly key?: string }
  | { readonly type: 'turn.resumed'; readonly turn_id: string }
  | { readonly type: 'background.lost'; readonly bash_ids: readonly string[]; readonly note: string }
  | { readonly type: 'skill.offered'; readonly skills: readonly { readonly id: string; readonly score: number }[]; readonly note: string }
  | { readonly type: 'message.added'; readonly text: string; readonly attachments?: readonly UserPart[]; readonly note?: string; readonly by?: 'runtime' | 'stop_hook'; readonly key?: string }
  | { readonly type: 'message.completed'; readonly role: 'assistant'; readonly content: readonly AssistantPart[]; readonly usage?: Usage; readonly stop_reason?: string; readonly model?: string; readonly cost_usd?: number }
  | { readonly type: 'tool.requested'; readonly call_id: string; readonly tool: string; readonly input: JsonObject; readonly by?: 'person' }
  | { readonly type: 'permission.requested'; readonly request_id: string; readonly call_id: string; readonly tool: string; readonly input: JsonObject; readonly reason: string; readonly rules: readonly string[]; readonly unsandboxed?: true; readonly mode?: PermissionMode; readonly places?: readonly CallPlace[] }
  | { readonly type: 'permission.resolved'; readonly request_id: string; readonly decision: PermissionDecision; readonly scope: PermissionScope; readonly reason?: string; readonly rules?: readonly string[] }
  | { readonly type: 'question.asked'; readonly request_id: string; readonly call_id: string; readonly question: string; readonly options?: readonly string[]; readonly questions?: readonly AskedQuestion[]; readonly state?: JsonObject }
  | { readonly type: 'question.answered'; readonly request_id: string; readonly answer: string }
  | { readonly type: 'tool.started'; readonly call_id: string }
  | { readonly type: 'tool.completed'; readonly call_id: string; readonly status: ToolStatus; readonly output: readonly ResultPart[]; readonly details?: JsonObject; readonly duration_ms?: number; readonly usage?: Usage; readonly cost_usd?: number }
  | { readonly type: 'skill.activated'; readonly skill_id: string; readonly trigger: SkillTrigger; readonly digest: string; readonly path: string; readonly folder: string; readonly body: string; readonly hooks?: readonly Hook[]; readonly effects?: SkillEffects; readonly commands?: readonly InjectedRun[] }
  | { readonly type: 'skill.deactivated'; readonly skill_id: string; readonly note: string }
  | { readonly type: 'agent.started'; readonly task_id: string; readonly agent_type: string; readonly prompt: string; readonly child_id: string; readonly call_id?: string; readonly description?: string; readonly background?: true }
  | { readonly type: 'agent.completed'; readonly task_id: string; readonly status: TurnStatus; readonly result: string; readonly usage: Usage; readonly cost_usd?: number; readonly note?: string }
  | { readonly type: 'hook.completed'; readonly event: HookEvent; readonly source: string; readonly index: number; readonly command: string; readonly status: HookStatus; readonly duration_ms: number; readonly exit_code?: number; readonly message?: string; readonly decision?: HookDecision; readonly call_id?: string; readonly updated_input?: JsonObject; readonly note?: string; readonly once?: true; readonly halts?: string; readonly in_turn?: true }
  | { readonly type: 'todos.updated'; readonly todos: readonly Todo[] }
  | { readonly type: 'context.compacted'; readonly summary: string; readonly kept_from_seq: number; readonly before_tokens: number; readonly after_tokens: number; readonly carried: string; readonly usage?: Usage; readonly cost_usd?: number }
  | { readonly type: 'model.changed'; readonly model: string }
  | { readonly type: 'mode.changed'; readonly mode: PermissionMode; readonly note?: string }
  | { readonly type: 'folders.changed'; readonly add_dirs: readonly string[] }
  | { readonly type: 'restrictions.changed'; readonly restrictions: Restrictions }
  | { readonly type: 'sandbox.changed'; readonly sandbox: SandboxState }
  | { readonly type: 'model.retried'; readonly attempt: number; readonly status: string; readonly wait_ms: number }
  | { readonly type: 'warning'; readonly code: string; readonly message: string }
  | { readonly type: 'turn.completed'; readonly turn_id: string; readonly status: TurnStatus; readonly usage: Usage; readonly cost_usd?: number; readonly text: string; readonly error?: EventError };

/** How a tool call ended. */
export type ToolStatus = 'ok' | 'error' | 'denied' | 'interrupted';

/** Events that only those hear who listen; the finished message or result is stored instead. */
export type TransientBody =
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly text: string }
  | { readonly type: 'tool.delta'; readonly call_id: string; readonly text: string };

/** What an event says, without where and when. */
export type EventBody = StoredBody;

/** Fields of every event. */
export interface EventBase {
  readonly session_id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Set on events of a sub-agent. */
  readonly agent_id?: string;
  readonly is_sub_agent?: true;
}

/** An event as it lies in the store; `seq` rises by one within a session, from 1. */
export type StoredEvent = StoredBody & EventBase & { readonly seq: number };

/** Any event that a face may see. */
export type SessionEvent = StoredEvent | (TransientBody & EventBase);

/** An event for one who follows: `seq` is set on stored ones of the session itself. `connected` begins each connection: what was unfinished is told again. */
export type FollowedEvent = ((StoredBody | TransientBody) & EventBase & { readonly seq?: number }) | { readonly type: 'connected' };
