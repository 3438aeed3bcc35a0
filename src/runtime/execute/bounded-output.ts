const BLOCK_BYTES = 256 * 1024;

/** What a script has printed, up to a limit over both streams. */
export interface BoundedOutput {
  /** Keeps what fits; the part of the chunk that was kept comes back. */
  add(chunk: Uint8Array, stream: 'stdout' | 'stderr'): Uint8Array;
  /** Bytes that are no UTF-8 become U+FFFD; a stream that was cut ends with a line `[TRUNCATED]`. */
  text(stream: 'stdout' | 'stderr'): string;
  isCut(): boolean;
}

/** Keeps up to `limit` bytes and calls `onFull` once when there are more; what follows is dropped. Takes no more memory than that, however small the pieces are. */
export function boundedOutput(limit: number, onFull: () => void): BoundedOutput {
  const kept = { stdout: blocks(), stderr: blocks() };
  let left = limit;
  let cut: 'stdout' | 'stderr' | undefined;
  return {
    add(chunk, stream) {
      if (cut !== undefined) return chunk.subarray(0, 0);
      const fits = chunk.subarray(0, left);
      kept[stream].add(fits);
      left -= fits.length;
      if (fits.length < chunk.length) {
        cut = stream;
        onFull();
      }
      return fits;
    },
    text(stream) {
      // Half a character at the place of the cut is left out.
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(kept[stream].bytes(), { stream: cut === stream });
      return cut === stream ? `${text}\n[TRUNCATED]` : text;
    },
    isCut: () => cut !== undefined,
  };
}

function blocks(): { add(bytes: Uint8Array): void; bytes(): Uint8Array } {
  const full: Buffer[] = [];
  let last = Buffer.alloc(0);
  let used = 0;
  return {
    add(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (used === last.length) {
          full.push(last);
          last = Buffer.allocUnsafe(BLOCK_BYTES);
          used = 0;
        }
        const part = bytes.subarray(at, at + last.length - used);
        last.set(part, used);
        used += part.length;
        at += part.length;
      }
    },
    bytes: () => Buffer.concat([...full, last.subarray(0, used)]),
  };
}
