import { messageOf } from '../protocol/errors.ts';

/** Keeps long work of a process, such as evaluations, for faces whose requests come and go. What it comes to is on the disk. */
export interface WorkKeeper<Options> {
  /** Begins work, or goes on with it; resolves to its id once it runs. @throws SkillmintError as the work does before that */
  begin(options: Options): Promise<string>;
  isRunning(id: string): boolean;
  /** The sentence of what has ended it before its end; undefined where nothing has. */
  fault(id: string): string | undefined;
  /** Ends one; false where it does not run here. */
  stop(id: string): boolean;
  /** True while one runs. */
  busy(): boolean;
  /** Ends all and resolves when they have. What was reached is kept. */
  close(): Promise<void>;
}

/** What work is told. */
export interface KeptWork {
  readonly signal: AbortSignal;
  /** Has to be told the id as soon as the work can be gone on with. */
  readonly onBegun: (id: string) => void;
}

/** Makes a keeper of one kind of work. `onFault` is told of work that could not go on. */
export function workKeeper<Options>(start: (options: Options, kept: KeptWork) => Promise<unknown>, { onFault }: { readonly onFault: (id: string, error: unknown) => void }): WorkKeeper<Options> {
  const running = new Map<string, AbortController>();
  const faults = new Map<string, string>();
  const works = new Set<Promise<unknown>>();
  const end = new AbortController();
  const begin = (options: Options): Promise<string> => new Promise((resolve, reject) => {
    const stop = new AbortController();
    let begun: string | undefined;
    const onBegun = (id: string): void => {
      begun = id;
      running.set(id, stop);
      faults.delete(id);
      resolve(id);
    };
    const work = start(options, { signal: AbortSignal.any([end.signal, stop.signal]), onBegun }).catch((error: unknown) => {
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
