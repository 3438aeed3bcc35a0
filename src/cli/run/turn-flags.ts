import { oneOf } from '../options.ts';

/** Flags of a turn as commander gives them. */
export interface TurnFlags {
  readonly model?: string;
  readonly skill?: string;
  readonly cwd?: string;
  readonly permissionMode?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly maxTurns?: number;
  readonly maxCost?: number;
  readonly effort?: string;
  readonly addDir?: readonly string[];
  /** False with `--no-tools`. */
  readonly tools?: boolean;
  /** False with `--no-skills`. */
  readonly skills?: boolean;
  readonly session?: string;
  readonly continue?: boolean;
  readonly ephemeral?: boolean;
  readonly sandbox?: string;
}

/** Flags of `skillmint run`. */
export interface RunFlags extends TurnFlags {
  readonly output: string;
  readonly image?: readonly string[];
  readonly outputSchema?: string;
  readonly verbose?: boolean;
}

/** Flags of `skillmint answer`. */
export interface AnswerFlags {
  readonly allow?: boolean;
  readonly always?: boolean;
  readonly deny?: boolean;
  readonly reason?: string;
  readonly request?: string;
  readonly output: string;
  readonly verbose?: boolean;
}

/** The setting that `--sandbox` names. @throws SkillmintError usage */
export function sandboxOf(name: string): 'required' | 'ask' | 'off' {
  return name === 'on' ? 'required' : oneOf(name, ['required', 'ask', 'off'], '--sandbox');
}
