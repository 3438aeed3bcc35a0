/** A queue that one consumer iterates while producers push; `end` closes it after what was pushed before. */
export interface EventQueue<T> extends AsyncIterable<T> {
  push(value: T): void;
  end(): void;
}

/** An unbounded queue. Values pushed after `end` are dropped. */
export function eventQueue<T>(): EventQueue<T> {
  const values: T[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const signal = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push(value) {
      if (ended) return;
      values.push(value);
      signal();
    },
    end() {
      ended = true;
      signal();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* values.splice(0);
        if (values.length > 0) continue;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
