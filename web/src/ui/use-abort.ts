import { useEffect, useMemo, useRef } from 'react';

/** What can be given up. */
export interface Abort {
  /** Gives up what runs, and signals for what begins now. */
  readonly begin: () => AbortSignal;
  readonly abort: () => void;
}

/** For work that is given up when the component goes. */
export function useAbort(): Abort {
  const running = useRef<AbortController>(undefined);
  const handle = useMemo<Abort>(() => ({
    begin: () => {
      running.current?.abort();
      running.current = new AbortController();
      return running.current.signal;
    },
    abort: () => running.current?.abort(),
  }), []);
  useEffect(() => handle.abort, [handle]);
  return handle;
}
