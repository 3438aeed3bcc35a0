import type { Verdict } from '../../evaluate/statistics/verdict.ts';
import type { Interval } from '../../evaluate/statistics/interval.ts';
import type { Suites } from '../../evaluate/runs/plan.ts';
import type { PermissionMode } from '../../protocol/permission.ts';
import type { Quote } from '../skill-agent/skill-agent.ts';

/** What is learned from, and how. */
export interface EnhanceOptions {
  /** Id of a session, or a file that `sessions export` has written. Only with `resume` it may be left out. */
  readonly conversation?: string;
  /** Goes on with the enhancement of this id, as it was begun; a budget may be given anew. */
  readonly resume?: string;
  /** Name or id of the one skill that may be improved; any of the person's own when left out. */
  readonly skill?: string;
  /** `description`: nothing else of the skill may change, and only its trigger suite counts. */
  readonly part?: 'all' | 'description';
  /** Folder whose skills and settings count; the process's own when left out. */
  readonly cwd?: string;
  /** Edits that are tried, 1 to 10; 3 unless told. */
  readonly rounds?: number;
  /** Runs of each case and arm; 3 unless told. */
  readonly runs?: number;
  /** Decides which cases are held out, and what an evaluation decides by it; 1 unless told. */
  readonly seed?: number;
  /** USD for agent, runs and judge together, also of earlier processes. With `resume` that of the beginning when left out. */
  readonly budgetUsd?: number;
  /** `PROVIDER/MODEL` of the agent and of the runs; the configured one when left out. */
  readonly model?: string;
  readonly judge?: string;
  /** Of the runs, as in `EvaluateOptions`. */
  readonly sandbox?: 'required' | 'off';
  readonly mode?: PermissionMode;
  /** Is told the id as soon as it can be gone on with. */
  readonly onBegun?: (id: string) => void;
  /** Is told one line for each thing that is done. */
  readonly progress?: (line: string) => void;
  /** Ends it; what was tried is kept. */
  readonly signal?: AbortSignal;
}

/** How the new version did beside the old one in one suite. */
export interface SuiteGain {
  readonly suite: 'output' | 'triggers';
  /** Cases that both versions have runs of. */
  readonly cases: number;
  /** Mean difference, new less old, from -1 to 1, and its 95 % interval; undefined where no case has runs of both. */
  readonly mean: number | undefined;
  readonly interval: Interval | undefined;
  readonly verdict: Verdict;
}

/** An edit that was tried. */
export interface TriedEdit {
  readonly round: number;
  readonly summary: string;
  readonly patch: string;
  readonly files: readonly string[];
  /** Lines that are new plus lines that are gone. */
  readonly lines: number;
  /** On the part to learn from; empty where that was not measured. */
  readonly learn: readonly SuiteGain[];
  /** Mean over the cases of the part to learn from; undefined where that was not measured. */
  readonly score: number | undefined;
  /** Id of the evaluation by those cases, known before it begins. */
  readonly evaluation?: string;
  /** What the agent is told of it before the next edit; undefined until it is measured. */
  readonly findings?: readonly string[];
  /** Everything was met on the part to learn from, so no further edit is tried. */
  readonly leaves_nothing?: boolean;
}

/** Whether an edit is taken. `not enough evidence`: the person may take it by hand. */
export interface EnhanceVerdict {
  readonly verdict: 'accepted' | 'rejected' | 'not enough evidence';
  /** Sentences for people. */
  readonly reasons: readonly string[];
}

/** A message of another skill's trigger suite that would find that skill less well. */
export interface WorseMessage {
  /** Id of the skill that the message is for. */
  readonly skill: string;
  readonly query: string;
  /** Places in the ranking, from 1; undefined: not among those that are looked at. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Set where the ranking is no worse, and the model loaded the edited skill: in so many of the runs with either version. */
  readonly loaded?: { readonly before: number; readonly after: number; readonly runs: number };
}

/** What an enhancement was begun with; kept, so that going on means the same. */
export interface EnhanceSettings extends Pick<EnhanceOptions, 'skill' | 'runs' | 'judge' | 'sandbox' | 'mode' | 'budgetUsd'> {
  readonly rounds: number;
  /** `PROVIDER/MODEL`, also where none was named. */
  readonly model: string;
}

/** Evaluations of the best edit, by what they measure. Their ids are known before they begin. */
export interface JudgingEvaluations {
  readonly held_out?: string;
  /** Messages of other skills, with the edited version among them and with the old one. */
  readonly others_edited?: string;
  readonly others_old?: string;
}

/** All that came of a conversation, as it is kept. */
export interface Enhancement {
  readonly version: 2;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Folder with all that was tried, absolute. */
  readonly folder: string;
  readonly cwd: string;
  readonly conversation: string;
  readonly part: 'all' | 'description';
  readonly seed: number;
  readonly settings: EnhanceSettings;
  /** `running` also where a process was killed at it. */
  readonly status: 'running' | 'done' | 'stopped';
  /** Why it ended before its end. */
  readonly stopped?: string;
  readonly decision?: 'create' | 'enhance' | 'nothing';
  readonly reason?: string;
  readonly quotes?: readonly Quote[];
  /** With `create`: what the skill is to do. */
  readonly request?: string;
  /** With `enhance`: the skill as it was; `digest` of all its files. */
  readonly skill?: { readonly id: string; readonly name: string; readonly folder: string; readonly digest: string };
  /** With `enhance`: cases that the agent has made of the conversation. */
  readonly learned?: Suites;
  /** Cases of either part. Known once they lie in their folders. */
  readonly cases?: { readonly learn: number; readonly held_out: number };
  readonly tried: readonly TriedEdit[];
  /** Round of the best edit, which was judged by the part that is held out. */
  readonly best?: number;
  readonly judging?: JudgingEvaluations;
  readonly held_out?: readonly SuiteGain[];
  readonly others?: readonly WorseMessage[];
  readonly result?: EnhanceVerdict;
  /** USD so far, as far as prices are known. */
  readonly cost_usd: number;
  /** The same by what it was for: steps of the agent, and ids of evaluations. */
  readonly costs: Readonly<Record<string, number>>;
  /** Sentences for the person. */
  readonly warnings: readonly string[];
  /** When the edit was put into the library. */
  readonly applied?: string;
}

/** How an edit is put into the library. */
export interface ApplyOptions {
  /** Takes an edit that was not accepted, too: the word of a person who has seen the figures. */
  readonly byHand?: boolean;
}

/** An edit that was put into the library. */
export interface AppliedEnhancement {
  readonly id: string;
  readonly skill: string;
  /** Absolute. */
  readonly folder: string;
  readonly digest: string;
  /** The skill was trusted and still is. Never where a file that can run has changed. */
  readonly trusted: boolean;
}
