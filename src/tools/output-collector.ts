/** Output of a command, kept in bounded memory. */
export interface OutputCollector {
  add(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void;
  /** Everything, or head and tail with a line between them that counts what is missing. */
  text(): string;
}

/**
 * Keeps up to `limit` bytes: the first half and, of what follows, the last half. The two streams are mixed as they
 * come; a character that arrives in two pieces stays whole. Bytes that are no UTF-8 become U+FFFD.
 */
export function outputCollector(limit: number): OutputCollector {
  const half = Math.floor(limit / 2);
  const head: Uint8Array[] = [];
  let headBytes = 0;
  const tail = ring(half);
  const joiners = { stdout: characterJoiner(), stderr: characterJoiner() };
  const keep = (bytes: Uint8Array): void => {
    const toHead = bytes.subarray(0, half - headBytes);
    if (toHead.length > 0) {
      head.push(toHead.slice());
      headBytes += toHead.length;
    }
    if (toHead.length < bytes.length) tail.add(bytes.subarray(toHead.length));
  };
  return {
    add: (chunk, stream) => joiners[stream].complete(chunk).forEach(keep),
    text() {
      keep(joiners.stdout.rest());
      keep(joiners.stderr.rest());
      const start = Buffer.concat(head);
      if (tail.dropped() === 0) return Buffer.concat([start, tail.bytes()]).toString();
      return `${start.toString()}\n[... ${tail.dropped()} bytes of output were dropped ...]\n${tail.bytes().toString()}`;
    },
  };
}

/** Holds back the beginning of a character until its end has come. */
export function characterJoiner(): { complete(chunk: Uint8Array): readonly Uint8Array[]; rest(): Uint8Array } {
  let pending = new Uint8Array(0);
  return {
    complete(chunk) {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const cut = bytes.length - unfinished(bytes);
      pending = bytes.slice(cut);
      return cut === 0 ? [] : [bytes.subarray(0, cut)];
    },
    rest() {
      const rest = pending;
      pending = new Uint8Array(0);
      return rest;
    },
  };
}

/** Number of bytes at the end that begin a UTF-8 character without completing it. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}

interface Ring {
  add(bytes: Uint8Array): void;
  bytes(): Buffer;
  dropped(): number;
}

/** The last `size` bytes of a stream. */
function ring(size: number): Ring {
  let store: Buffer | undefined;
  let at = 0;
  let total = 0;
  return {
    add(bytes) {
      store ??= Buffer.alloc(size);
      total += bytes.length;
      const last = bytes.subarray(Math.max(0, bytes.length - size));
      const toEnd = last.subarray(0, size - at);
      store.set(toEnd, at);
      store.set(last.subarray(toEnd.length), 0);
      at = (at + last.length) % size;
    },
    bytes() {
      if (store === undefined) return Buffer.alloc(0);
      return total <= size ? store.subarray(0, total) : Buffer.concat([store.subarray(at), store.subarray(0, at)]);
    },
    dropped: () => Math.max(0, total - size),
  };
}
