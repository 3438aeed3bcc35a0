import type { EnhanceOptions } from '../enhance/enhancement.ts';
import type { Runtime } from '../runtime.ts';
import { workKeeper, type WorkKeeper } from '../work-keeper.ts';
import type { EvaluateOptions } from './evaluate-options.ts';

/** The long works on skills that a process keeps for its requests. */
export interface SkillWorks {
  readonly evaluations: WorkKeeper<EvaluateOptions>;
  readonly enhancements: WorkKeeper<EnhanceOptions>;
  /** True while one of them runs. */
  busy(): boolean;
  /** Ends all and resolves when they have. */
  close(): Promise<void>;
}

/** Makes the keepers. `onFault` is told of work that could not go on. */
export function skillWorks(runtime: Pick<Runtime, 'evaluateSkill' | 'enhanceSkill'>, given: { readonly onFault: (id: string, error: unknown) => void }): SkillWorks {
  const evaluations = workKeeper<EvaluateOptions>((options, { signal, onBegun }) => runtime.evaluateSkill({ ...options, signal, onEvent: (event) => event.type === 'evaluation.started' && onBegun(event.id) }), given);
  const enhancements = workKeeper<EnhanceOptions>((options, kept) => runtime.enhanceSkill({ ...options, ...kept }), given);
  return {
    evaluations, enhancements,
    busy: () => evaluations.busy() || enhancements.busy(),
    close: async () => void (await Promise.all([evaluations.close(), enhancements.close()])),
  };
}
