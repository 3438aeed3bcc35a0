import type { Work } from '../face.ts';
import type { ScreenParts } from './screen-parts.ts';
import type { RunningWork, ScreenState } from './screen-state.ts';

const TICK_MS = 1_000;

/** Shows that something runs until it has ended. Where the person has gone already it is stopped at once. */
export async function whileRunning<T>({ tui }: Pick<ScreenParts, 'tui'>, state: ScreenState, running: RunningWork, run: () => Promise<T>): Promise<T> {
  state.running = running;
  const ticking = setInterval(() => tui.requestRender(), TICK_MS);
  tui.requestRender();
  if (state.isEnded) running.stop();
  try {
    return await run();
  } finally {
    clearInterval(ticking);
    state.running = undefined;
    tui.requestRender();
  }
}

/** Shows work of a command to its end, with the latest line that it tells. */
export function showWork<T>(parts: Pick<ScreenParts, 'tui'>, state: ScreenState, { what, now, run }: { readonly what: string; readonly now: () => number; readonly run: (work: Work) => Promise<T> }): Promise<T> {
  const stop = new AbortController();
  const running: RunningWork = { what, since: now(), stop: () => stop.abort(), isStopping: false };
  const progress = (line: string): void => {
    running.line = line;
    parts.tui.requestRender();
  };
  return whileRunning(parts, state, running, () => run({ signal: stop.signal, progress }));
}
