import type { Verdict } from '../../evaluate/statistics/verdict.ts';
import type { Interval } from '../../evaluate/statistics/interval.ts';
import type { PermissionMode } from '../../protocol/permission.ts';
import type { Quote } from '../skill-agent/skill-agent.ts';

/** What is learned from, and how. */
export interface EnhanceOptions {
  /** Id of a session, or a file that `sessions export` has written. */
  readonly conversation: string;
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
  /** USD for agent, runs and judge together. */
  readonly budgetUsd?: number;
  /** `PROVIDER/MODEL` of the agent and of the runs; the configured one when left out. */
  readonly model?: string;
  readonly judge?: string;
  /** Of the runs, as in `EvaluateOptions`. */
  readonly sandbox?: 'required' | 'off';
  readonly mode?: PermissionMode;
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
  /** Id of the evaluation, which can be looked at and gone on with. */
  readonly evaluation?: string;
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
}

/** All that came of a conversation, as it is kept. */
export interface Enhancement {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Folder with all that was tried, absolute. */
  readonly folder: string;
  readonly cwd: string;
  readonly conversation: string;
  readonly part: 'all' | 'description';
  readonly seed: number;
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
  /** Cases of either part. */
  readonly cases?: { readonly learn: number; readonly held_out: number };
  readonly tried: readonly TriedEdit[];
  /** Round of the best edit, which was judged by the part that is held out. */
  readonly best?: number;
  readonly held_out?: readonly SuiteGain[];
  readonly others?: readonly WorseMessage[];
  readonly result?: EnhanceVerdict;
  /** USD so far, as far as prices are known. */
  readonly cost_usd: number;
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
