/** What a function of the embedding program gives; undefined as soon as the signal aborts. A function that does not hear the signal holds up nobody, and what it gives or throws later is nobody's. */
export async function unlessStopped<T>(given: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let stop = (): void => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([given, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
