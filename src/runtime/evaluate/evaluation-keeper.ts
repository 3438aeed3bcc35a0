import { messageOf } from '../../protocol/errors.ts';
import type { Runtime } from '../runtime.ts';
import type { EvaluateOptions } from './evaluate-options.ts';

/** Keeps the evaluations of a process for faces whose requests come and go. What they measure is on the disk. */
export interface EvaluationKeeper {
  /** Begins an evaluation, or goes on with one; resolves to its id once it runs. @throws SkillmintError as `Runtime.evaluateSkill` */
  begin(options: EvaluateOptions): Promise<string>;
  isRunning(id: string): boolean;
  /** The sentence of what has ended it before its end; undefined where nothing has. */
  fault(id: string): string | undefined;
  /** Ends one; false where it does not run here. */
  stop(id: string): boolean;
  /** True while one runs. */
  busy(): boolean;
  /** Ends all and resolves when they have. What was measured is kept. */
  close(): Promise<void>;
}

/** Makes a keeper. `onFault` is told of an evaluation that could not go on. */
export function evaluationKeeper(runtime: Pick<Runtime, 'evaluateSkill'>, { onFault }: { readonly onFault: (id: string, error: unknown) => void }): EvaluationKeeper {
  const running = new Map<string, AbortController>();
  const faults = new Map<string, string>();
  const works = new Set<Promise<unknown>>();
  const end = new AbortController();
  const begin = (options: EvaluateOptions): Promise<string> => new Promise((resolve, reject) => {
    const stop = new AbortController();
    let begun: string | undefined;
    const work = runtime.evaluateSkill({
      ...options,
      signal: AbortSignal.any([end.signal, stop.signal]),
      onEvent: (event) => {
        if (event.type !== 'evaluation.started') return;
        begun = event.id;
        running.set(event.id, stop);
        faults.delete(event.id);
        resolve(event.id);
      },
    }).catch((error: unknown) => {
      if (begun === undefined) return reject(error);
      faults.set(begun, messageOf(error));
      onFault(begun, error);
    }).finally(() => {
      if (begun !== undefined) running.delete(begun);
      works.delete(work);
    });
    works.add(work);
  });
  return {
    begin,
    isRunning: (id) => running.has(id),
    fault: (id) => faults.get(id),
    stop(id) {
      running.get(id)?.abort();
      return running.has(id);
    },
    busy: () => works.size > 0,
    async close() {
      end.abort();
      await Promise.all(works);
    },
  };
}
