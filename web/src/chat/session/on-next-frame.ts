/** While a page is not looked at, browsers draw no frames; it is kept up to date so often, ms. */
const HIDDEN_MS = 500;

/** A function that calls `run` once with the next frame, however often it is called until then; never after `signal`. */
export function onNextFrame(run: () => void, signal: AbortSignal): () => void {
  let isAwaited = false;
  const now = (): void => {
    isAwaited = false;
    if (!signal.aborted) run();
  };
  return () => {
    if (isAwaited) return;
    isAwaited = true;
    if (document.hidden) setTimeout(now, HIDDEN_MS);
    else requestAnimationFrame(now);
  };
}
