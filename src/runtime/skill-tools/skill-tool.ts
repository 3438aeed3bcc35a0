import type { JsonObject, JsonSchema } from '../../protocol/json.ts';

/** Names of what others can do with skills: clients of an MCP server, and loops of other libraries. */
export type SkillToolName = 'find_skills' | 'load_skill' | 'read_skill_file' | 'run_skill_script';

/** One of them. */
export interface SkillTool {
  readonly name: SkillToolName;
  /** For the model. */
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonSchema;
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** Failures are results that say so; only faults of the program and what `ask` throws reject. */
  call(input: JsonObject, context?: SkillToolCall): Promise<SkillToolResult>;
}

/** What a call is given. */
export interface SkillToolCall {
  /** Ends the call, and a script with everything that it has started. */
  readonly signal?: AbortSignal;
  /** Asks the person whether a script may run. Left out: nobody can be asked, and only rules give consent. */
  readonly ask?: (question: ScriptQuestion) => Promise<ScriptConsent>;
  /** Is given what a script writes, as it comes. */
  readonly onOutput?: (chunk: Uint8Array) => void;
}

/** What a person decides about. */
export interface ScriptQuestion {
  /** Stands for exactly this: skill, content, script, arguments and input. */
  readonly id: string;
  /** In words, with all that follows. */
  readonly text: string;
  readonly skillId: string;
  /** Of the skill's whole content: the consent is to this. */
  readonly digest: string;
  readonly script: string;
  readonly args: readonly string[];
  /** Whether the person trusts this content. */
  readonly trusted: boolean;
}

/** What a person says: yes to this run, yes to all runs of this content while the program runs, or no. */
export type ScriptConsent = 'once' | 'always' | 'no';

/** What a call gives. */
export interface SkillToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** The same for programs. */
  readonly data?: JsonObject;
}

/** What others get. */
export interface SkillTools {
  /** For the system prompt of the loop that has the tools. */
  readonly instructions: string;
  readonly tools: readonly SkillTool[];
}

/** Whose skills. */
export interface SkillToolsOptions {
  /** Folder whose skills and settings count, absolute; the process's own when left out. */
  readonly cwd?: string;
  /** What the person wants, in their words: the skills that fit it best are then named in the instructions. */
  readonly query?: string;
}
