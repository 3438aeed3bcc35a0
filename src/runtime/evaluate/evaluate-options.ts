import type { EvaluationEvent } from '../../evaluate/runs/evaluation-event.ts';

/** What is evaluated, and how. */
export interface EvaluateOptions {
  /** Name, id or folder of the skill. With `resume` it may be left out. */
  readonly skill?: string;
  /** Folder whose skills and settings count; the process's own when left out. */
  readonly cwd?: string;
  readonly suite?: 'triggers' | 'output' | 'all';
  /** Folder with the suites; `evals` of the skill when left out. */
  readonly evals?: string;
  /** Ids of the cases and queries that are run; all when left out. */
  readonly only?: readonly string[];
  /** For each case and arm; 3 unless told. */
  readonly runs?: number;
  /** Runs at the same time; 4 unless told. */
  readonly parallel?: number;
  /** Decides order and resampling; 1 unless told. */
  readonly seed?: number;
  /** Share up to which a difference counts as none; 0.05 unless told. */
  readonly margin?: number;
  /** Folder of the same skill, or a git revision of the skill's folder, that it is compared with. */
  readonly against?: string;
  /** Also runs the skill among so many of the person's other skills. */
  readonly crowd?: number | 'all';
  /** `PROVIDER/MODEL` that works; that of new sessions when left out. */
  readonly model?: string;
  /** `PROVIDER/MODEL` that judges; the setting `evaluate.judge`, else the one that works. */
  readonly judge?: string;
  /** USD for runs and judge together. */
  readonly budgetUsd?: number;
  readonly maxRuns?: number;
  /** As for a turn; without a sandbox commands need rules that allow them. */
  readonly sandbox?: 'required' | 'off';
  /** Further permission rules of the runs. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Also makes runs anew that earlier evaluations have made: those without the skill and with the old version. */
  readonly fresh?: boolean;
  /** Goes on with the evaluation of this id, as it was begun; limits may be given anew. */
  readonly resume?: string;
  /** A further folder for report.html, report.json, benchmark.json and junit.xml. */
  readonly report?: string;
  readonly onEvent?: (event: EvaluationEvent) => void;
  /** Ends the evaluation; what was measured is kept. */
  readonly signal?: AbortSignal;
}
