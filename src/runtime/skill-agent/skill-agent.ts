import type { PermissionMode } from '../../protocol/permission.ts';
import type { Usage } from '../../protocol/usage.ts';
import type { Suites } from '../../evaluate/runs/plan.ts';
import type { Trace } from '../enhance/read-conversation.ts';
import type { Scope } from '../library/library-of.ts';
import type { Approve } from '../library/proposed-files.ts';

/** What every call of the skill agent can say. */
export interface SkillAgentCall {
  /** Folder that it works for, absolute; that of `session`, or the process's own, when left out. */
  readonly cwd?: string;
  /** The session that asks: what that may not do, the agent may not either. */
  readonly session?: string;
  /** At most this mode; that of the session or of the settings when left out. Nothing ever asks: what would is denied. */
  readonly mode?: PermissionMode;
  /** Permission rules for this call. */
  readonly deny?: readonly string[];
  /** `PROVIDER/MODEL`; the configured one when left out. */
  readonly model?: string;
  /** USD; a smaller limit than the operation's own. */
  readonly maxCostUsd?: number;
  /** Stops the call. */
  readonly signal?: AbortSignal;
  /** Is told one line for each thing that it does. */
  readonly progress?: (line: string) => void;
}

/** What a call has taken, and where it can be read. */
export interface SkillAgentReport {
  /** The agent's session, which later calls for the same folder go on with. */
  readonly session_id: string;
  readonly usage: Usage;
  readonly cost_usd?: number;
  /** Sentences for the person. */
  readonly warnings: readonly string[];
}

/** What is looked for. */
export interface SkillSearchRequest extends SkillAgentCall {
  readonly query: string;
  /** At most so many, 1 to 20; 8 when left out. */
  readonly k?: number;
}

/** A skill that the agent has chosen. */
export interface ChosenSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Why it fits, in the agent's words. */
  readonly reason: string;
}

/** Skills that fit, best first. All of them exist and can be used. */
export interface SkillSearchResult extends SkillAgentReport {
  readonly skills: readonly ChosenSkill[];
}

/** What a skill is to do. */
export interface SkillCreateRequest extends SkillAgentCall {
  readonly request: string;
  /** Its name; chosen by the agent when left out. */
  readonly name?: string;
  /** Where it is installed; the setting `skills.createIn` decides when left out. */
  readonly scope?: Scope;
  /** Is shown what is to be installed, and decides; all is taken when left out. */
  readonly approve?: Approve;
}

/** A skill that was made and installed. */
export interface MadeSkill {
  readonly outcome: 'made';
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  readonly digest: string;
  readonly trusted: boolean;
  /** Of its files, with `/`. */
  readonly files: readonly string[];
  /** What it does and what the person should know, in the agent's words. */
  readonly summary: string;
}

/** The agent thinks that there should be no new skill. */
export interface DeclinedSkill {
  readonly outcome: 'declined';
  readonly reason: string;
  /** Id of the skill that does it already. */
  readonly existing?: string;
}

/** What came of a wish for a skill. */
export type SkillCreateResult = SkillAgentReport & (MadeSkill | DeclinedSkill);

/** A conversation that skills may learn from. */
export interface SkillDecideRequest extends SkillAgentCall {
  readonly trace: Trace;
  /** Name or id of the one skill that may be improved; any of the person's own when left out. */
  readonly skill?: string;
}

/** Words of a conversation that a decision rests on. They stand there. */
export interface Quote {
  /** Number of the event. */
  readonly seq: number;
  readonly text: string;
}

/** What a conversation teaches. */
export interface SkillDecision {
  readonly decision: 'create' | 'enhance' | 'nothing';
  /** With `enhance`: a skill of the person's own. */
  readonly skill?: { readonly id: string; readonly name: string; /** Absolute. */ readonly folder: string };
  /** With `create`: what the skill is to do. */
  readonly request?: string;
  readonly reason: string;
  readonly quotes: readonly Quote[];
  /** Cases made of the conversation. */
  readonly cases: Suites;
}

/** An edit that did not help enough, for the agent to learn from. */
export interface FormerEdit {
  readonly summary: string;
  readonly patch: string;
  /** What the part to learn from has said. Never anything of the part that is held out. */
  readonly result: string;
}

/** A skill that is to be improved by a bounded edit. */
export interface SkillEditRequest extends SkillAgentCall {
  /** `folder`: what the edit begins with, absolute. */
  readonly skill: { readonly name: string; readonly folder: string };
  readonly trace: Trace;
  readonly decision: Pick<SkillDecision, 'reason' | 'quotes'>;
  /** Cases to learn from. */
  readonly learn: Suites;
  readonly former: readonly FormerEdit[];
  /** `description`: nothing else may change. */
  readonly part: 'all' | 'description';
}

/** An edit of a skill in a draft folder. */
export interface EditedSkill {
  readonly summary: string;
  /** Of the edited skill, absolute, in a draft folder. */
  readonly folder: string;
  readonly patch: string;
  readonly files: readonly string[];
  readonly lines: number;
}

/**
 * The agent that looks after skills. It has one session for each folder, which can be opened like any other, and works there in silence:
 * callers get results of these types and nothing else. Calls for one folder wait for each other.
 * All reject with `permission_denied`, `model_failed`, `output_invalid`, `interrupted`, `session_busy`, and what a turn's beginning rejects with.
 */
export interface SkillAgent {
  /** The skills that fit a request. @throws SkillmintError usage */
  search(request: SkillSearchRequest): Promise<SkillSearchResult>;
  /**
   * Writes a skill in a draft folder, checks it and installs it. What did not become a skill stays in the draft folder, which the error names.
   * @throws SkillmintError usage, skill_exists, install_refused, permission_denied where it is not approved, and what installing throws
   */
  create(request: SkillCreateRequest): Promise<SkillCreateResult>;
  /** What a conversation teaches: a new skill, a better one, or nothing. Changes nothing. @throws SkillmintError usage, skill_not_found */
  decide(request: SkillDecideRequest): Promise<SkillDecision & SkillAgentReport>;
  /** Edits a copy of a skill within bounds. The caller removes the draft. @throws SkillmintError install_refused for a skill that is not valid as it is */
  edit(request: SkillEditRequest): Promise<EditedSkill & SkillAgentReport>;
}
