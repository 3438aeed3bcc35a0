import { oneLine, printable, write } from '../terminal.ts';

/** Passes the output of a script on while it runs. */
export interface ShownOutput {
  add(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void;
  /** A sentence of our own, on standard error. */
  say(sentence: string): void;
  /** Resolves when all of it is written. Rejects with the first OutputFault. */
  end(): Promise<void>;
}

/** As it is, byte for byte; for a terminal made safe to print. `onFault` is called when it cannot be written any more. */
export function showOutput(onFault: () => void): ShownOutput {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let written = Promise.resolve();
  let faulty = false;
  const put = (stream: 'stdout' | 'stderr', data: string | Uint8Array): void => {
    written = written.then(() => (data.length === 0 ? undefined : write(process[stream], data)));
    written.catch(() => {
      if (!faulty) onFault();
      faulty = true;
    });
  };
  return {
    // The chunk may be used again once this has returned.
    add: (chunk, stream) => put(stream, process[stream].isTTY ? printable(decoders[stream].decode(chunk, { stream: true })) : chunk.slice()),
    say: (sentence) => put('stderr', `skillmint: ${oneLine(sentence)}\n`),
    async end() {
      for (const stream of ['stdout', 'stderr'] as const) if (process[stream].isTTY) put(stream, printable(decoders[stream].decode()));
      await written;
    },
  };
}
