import type { ResultPart, UserPart } from './content.ts';
import type { AgentFacts, BoundSkill, Environment, EventError, ListedAgent, ParentRun, Restrictions, SandboxState, SkillEffects, ToolStatus, TurnOptions, TurnStatus } from './events.ts';
import type { Hook } from './hook.ts';
import type { JsonObject } from './json.ts';
import type { Message } from './message.ts';
import type { CallPlace, PermissionDecision, PermissionMode, PermissionScope } from './permission.ts';
import type { AskedQuestion } from './question.ts';
import type { SkillTrigger } from './skill.ts';
import type { Todo } from './todo.ts';
import { NO_USAGE, type Usage } from './usage.ts';

/** What a question is about, where that is not the call itself: the call of a sub-agent, or one through `CallTool`. */
export interface InnerCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** A permission question or a question of the model that a call waits for, or that was answered; `taken` once the call has gone on with the answer. */
export type CallQuestion =
  | { readonly kind: 'permission'; readonly request_id: string; readonly reason: string; readonly rules: readonly string[]; readonly unsandboxed: boolean; readonly mode?: PermissionMode; readonly places?: readonly CallPlace[]; readonly inner?: InnerCall; readonly decision?: PermissionDecision; readonly scope?: PermissionScope; readonly feedback?: string; readonly taken?: true }
  | { readonly kind: 'question'; readonly request_id: string; readonly question: string; readonly options?: readonly string[]; readonly questions?: readonly AskedQuestion[]; readonly answer?: string; readonly state?: JsonObject; readonly taken?: true };

/** One tool call of the last assistant message, or of the person's message. */
export interface CallState {
  readonly call_id: string;
  readonly tool: string;
  /** As the model gave it, or as a hook changed it. */
  readonly input: JsonObject;
  /** Set for a call that the person made: its result goes with their message. */
  readonly by?: 'person';
  /** Raw text of arguments that were no JSON object. */
  readonly invalid?: string;
  readonly phase: 'requested' | 'started' | 'completed';
  readonly question?: CallQuestion;
  readonly status?: ToolStatus;
  readonly output?: readonly ResultPart[];
}

/** The turn that runs, waits or ended last. */
export interface TurnState {
  readonly turn_id: string;
  readonly status: 'running' | TurnStatus;
  /** Replies of the model so far. */
  readonly steps: number;
  readonly usage: Usage;
  readonly cost_usd: number;
  /** Sequence number of its `turn.started`. */
  readonly from_seq: number;
  readonly options: TurnOptions;
  /** What the person asked for. */
  readonly input: readonly UserPart[];
  /** What its prompt carried beside the input. */
  readonly notes: readonly string[];
  /** What its prompt brings with it is stored, or the model has replied. */
  readonly opened?: true;
  /** How often it went on after the program had ended, since the last reply. */
  readonly resumed?: number;
  /** How often Stop hooks have sent it on. */
  readonly sent_on?: number;
  /** Why a hook wants it to end. */
  readonly halted?: string;
  readonly error?: EventError;
}

/** A skill whose instructions are in force, kept beside the history. */
export interface ActiveSkill {
  readonly skill_id: string;
  readonly digest: string;
  readonly path: string;
  /** Real path of its folder at that time. */
  readonly folder: string;
  readonly trigger: SkillTrigger;
  /** The text that the model was given. */
  readonly body: string;
  /** In force as long as the skill is active and trusted. */
  readonly hooks?: readonly Hook[];
}

/** A run of a sub-agent that this session has started. */
export interface AgentRun {
  readonly task_id: string;
  /** Its session. */
  readonly child_id: string;
  /** Name of its agent. */
  readonly agent_type: string;
  /** It runs beside the turns, and no call waits for it. */
  readonly background?: true;
  /** Number of the event that began it. */
  readonly seq: number;
  /** The tool call that has begun it, and waits for it unless it runs in the background. */
  readonly call_id: string | undefined;
  readonly status: 'running' | TurnStatus;
}

/** A message and the sequence number of the event that began it. */
export interface LoggedMessage {
  readonly seq: number;
  readonly message: Message;
}

/**
 * The state of a session: a fold over its events and nothing else. It is owned by whoever folds it and
 * changed in place by `applyEvent`, so that the cost of an event does not grow with the session.
 */
export interface SessionState {
  readonly session_id: string;
  last_seq: number;
  cwd: string;
  model: string;
  permission_mode: PermissionMode;
  /** The mode to go back to when a plan is accepted. */
  mode_before_plan: PermissionMode;
  sandbox: SandboxState;
  environment: Environment;
  add_dirs: readonly string[];
  bound: BoundSkill | undefined;
  parent: { readonly session_id: string; readonly at_seq: number } | undefined;
  /** Set in the session of a sub-agent. */
  parent_run: ParentRun | undefined;
  /** What this sub-agent is. */
  agent: AgentFacts | undefined;
  /** Agents from files that the model is told of. */
  listed_agents: readonly ListedAgent[];
  /** Instructions of the project and notes of its memory, as they stand in the system prompt. */
  instructions: string;
  /** What the session that started this sub-agent leaves it. */
  restrictions: Restrictions;
  /** What the model is sent, in order, without the replies' open calls. */
  readonly messages: LoggedMessage[];
  /** Messages of the person that came in the middle of a step; they follow it. */
  readonly queued: LoggedMessage[];
  /** Calls of the last assistant message, in its order; empty when none is open. */
  readonly calls: Map<string, CallState>;
  turn: TurnState | undefined;
  /** Keys that messages were sent with, the latest ones → id of the turn that took them in. */
  readonly sent: Map<string, string>;
  todos: readonly Todo[];
  readonly skills: Map<string, ActiveSkill>;
  /** What skills that were loaded in the current turn do to it, by skill id. */
  readonly skill_effects: Map<string, SkillEffects>;
  /** What the next message of the person is to carry. */
  readonly notes: string[];
  /** Runs of sub-agents, by task id. */
  readonly agents: Map<string, AgentRun>;
  /** Commands in the background that have not been told as ended: id → command. */
  readonly background: Map<string, string>;
  /** Ids of the skills whose offer stands in `messages`. */
  readonly offered: Set<string>;
  /** Keys of the hooks that run once in a session and have run. */
  readonly hooks_done: Set<string>;
  /** Stamp of each file that was read or written, by real path. */
  readonly file_stamps: Map<string, string>;
  /** True once the person has let a command run although there is no sandbox. */
  unsandboxed_allowed: boolean;
  /** Allow rules that answers with scope `always` have stored. */
  readonly always: string[];
  usage: Usage;
  cost_usd: number;
  /** Tokens of the last request and its reply as the provider counted them, and how many messages they covered. */
  context: { readonly tokens: number; readonly messages: number };
}

/** The state before the first event. */
export function emptySessionState(sessionId: string): SessionState {
  return {
    session_id: sessionId,
    last_seq: 0,
    cwd: '',
    model: '',
    permission_mode: 'default',
    mode_before_plan: 'default',
    sandbox: 'not isolated',
    environment: { platform: '', date: '' },
    add_dirs: [],
    bound: undefined,
    parent: undefined,
    parent_run: undefined,
    agent: undefined,
    listed_agents: [],
    instructions: '',
    restrictions: {},
    messages: [],
    queued: [],
    calls: new Map(),
    turn: undefined,
    sent: new Map(),
    todos: [],
    skills: new Map(),
    skill_effects: new Map(),
    notes: [],
    agents: new Map(),
    background: new Map(),
    offered: new Set(),
    hooks_done: new Set(),
    file_stamps: new Map(),
    unsandboxed_allowed: false,
    always: [],
    usage: NO_USAGE,
    cost_usd: 0,
    context: { tokens: 0, messages: 0 },
  };
}

/** Calls that have no result yet, in the order of the reply. */
export function openCalls(state: SessionState): readonly CallState[] {
  return [...state.calls.values()].filter((call) => call.phase !== 'completed');
}

/** A call whose question a person has not answered, with the tool and input that it is about. */
export interface OpenRequest {
  readonly call: CallState;
  readonly question: CallQuestion;
  /** The sub-agent in the background whose question it is. */
  readonly agent?: { readonly task_id: string; readonly agent_type: string; readonly session_id: string };
}

/** Questions that wait for a person, oldest first. */
export function openRequests(state: SessionState): readonly OpenRequest[] {
  return openCalls(state).flatMap((call) => {
    const { question } = call;
    if (!question || isAnswered(question)) return [];
    return [{ call: question.kind === 'permission' && question.inner ? { ...call, ...question.inner } : call, question }];
  });
}

/** True once a person has answered. */
export function isAnswered(question: CallQuestion): boolean {
  return question.kind === 'permission' ? question.decision !== undefined : question.answer !== undefined;
}

/** The latest run of a sub-agent that this open call has begun. Models may give a later call the id of an earlier one. */
export function runOfCall({ agents, messages }: Pick<SessionState, 'agents' | 'messages'>, callId: string): AgentRun | undefined {
  const reply = messages.at(-1)?.seq ?? 0;
  return [...agents.values()].findLast((run) => run.call_id === callId && run.seq > reply);
}

/** Sub-agents in the background whose end is not stored yet. */
export function runsBeside({ agents }: Pick<SessionState, 'agents'>): readonly AgentRun[] {
  return [...agents.values()].filter((run) => run.background && run.status === 'running');
}
