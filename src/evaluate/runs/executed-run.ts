import type { StoredEvent, TurnStatus } from '../../protocol/events.ts';
import type { OutputFile } from '../judge/material.ts';
import type { EvalCase, TriggerQuery } from '../suites/suite.ts';
import type { Spent } from './record.ts';
import type { CheckWorld } from './run-check.ts';

/** What a run is made of: a case of the output suite, or a query of the trigger suite. */
export type RunEntry = { readonly suite: 'output'; readonly entry: EvalCase } | { readonly suite: 'triggers'; readonly entry: TriggerQuery };

/** A run that has ended, with its workspace still there. */
export interface ExecutedRun {
  readonly session_id: string;
  readonly status: TurnStatus;
  /** Why it says nothing about the skill: its model could not be reached, or the budget ended it. */
  readonly failure?: string;
  /** It took all that was set aside for it. */
  readonly overBudget?: true;
  /** No run with this model can go better. */
  readonly hopeless?: true;
  readonly spent: Spent;
  readonly duration_ms: number;
  /** Of the session and its sub-agents. */
  readonly events: readonly StoredEvent[];
  readonly outputs: readonly OutputFile[];
  readonly world: CheckWorld;
  /** See `CheckedRun`. */
  readonly scripts: readonly string[] | undefined;
  /** See `transcriptOf`. */
  readonly skill: { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> };
  /** Words that tell the arm, such as folders of skills. */
  readonly hide: readonly string[];
  /** Removes the workspace. */
  close(): Promise<void>;
}
