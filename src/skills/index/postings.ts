import { damaged } from './damaged.ts';

/** A word, by its hash, with the documents that have it in rising order and how much each of them says with it (1 to 255). */
export interface WordPostings {
  readonly key: number;
  readonly docs: readonly number[];
  readonly impacts: readonly number[];
}

/** A run of words in the order of their keys, as it is stored. */
export interface PostingBlock {
  readonly firstKey: number;
  readonly data: Uint8Array;
}

/** Bytes from which a block is closed: one is read for every word of a question. */
const BLOCK_BYTES = 3_000;
const COUNT_BYTES = 4;
/** Key in six bytes, place of its documents in four. */
const ENTRY_BYTES = 10;
const LOW = 0x1_0000_0000;

/** Packs words into blocks. They must come in the rising order of their keys. */
export function* packBlocks(words: Iterable<WordPostings>): Generator<PostingBlock> {
  let entries: { readonly key: number; readonly at: number }[] = [];
  let body = new ByteWriter();
  for (const word of words) {
    entries.push({ key: word.key, at: body.length });
    writeWord(body, word);
    if (body.length + entries.length * ENTRY_BYTES < BLOCK_BYTES) continue;
    yield closeBlock(entries, body);
    entries = [];
    body = new ByteWriter();
  }
  if (entries.length > 0) yield closeBlock(entries, body);
}

/** One word in a block, not yet unpacked. */
export interface PackedWord {
  readonly data: Uint8Array;
  /** Where its documents begin. */
  readonly at: number;
  readonly count: number;
}

/** A word in a block; undefined when it is not in it. Throws `store_corrupt`, as all that read blocks do, for one that was not packed here. */
export function findWord(data: Uint8Array, key: number): PackedWord | undefined {
  const view = viewOf(data);
  const words = wordsIn(view);
  let [low, high] = [0, words - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = keyAt(view, middle);
    if (found === key) return packedAt(data, view, middle, words);
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** All words of a block in the order of their keys. */
export function* unpackBlock(data: Uint8Array): Generator<WordPostings> {
  const view = viewOf(data);
  const count = wordsIn(view);
  for (let i = 0; i < count; i += 1) yield { key: keyAt(view, i), ...unpackWord(packedAt(data, view, i, count)) };
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function wordsIn(view: DataView): number {
  const words = view.byteLength < COUNT_BYTES ? undefined : view.getUint32(0);
  if (words === undefined || COUNT_BYTES + words * ENTRY_BYTES > view.byteLength) throw damaged('A list of words');
  return words;
}

function byteAt(data: Uint8Array, at: number): number {
  const byte = data[at];
  if (byte === undefined) throw damaged('A list of words');
  return byte;
}

function keyAt(view: DataView, index: number): number {
  const at = COUNT_BYTES + index * ENTRY_BYTES;
  return view.getUint16(at) * LOW + view.getUint32(at + 2);
}

function packedAt(data: Uint8Array, view: DataView, index: number, words: number): PackedWord {
  let at = COUNT_BYTES + words * ENTRY_BYTES + view.getUint32(COUNT_BYTES + index * ENTRY_BYTES + 6);
  let count = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = byteAt(data, at++);
    count |= (byte & 0x7f) << shift;
    if (byte < 128) return { data, at, count };
  }
}

/** The documents of a word in rising order, and its impact in each. */
export function unpackWord({ data, at, count }: PackedWord): Pick<WordPostings, 'docs' | 'impacts'> {
  const docs: number[] = [];
  const impacts: number[] = [];
  let place = at;
  for (let doc = -1, i = 0; i < count; i += 1) {
    let step = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = byteAt(data, place++);
      step |= (byte & 0x7f) << shift;
      if (byte < 128) break;
    }
    doc += step + 1;
    docs.push(doc);
    impacts.push(byteAt(data, place++));
  }
  return { docs, impacts };
}

function writeWord(body: ByteWriter, { docs, impacts }: WordPostings): void {
  body.number(docs.length);
  let before = -1;
  docs.forEach((doc, i) => {
    body.number(doc - before - 1);
    body.byte(impacts[i] ?? 0);
    before = doc;
  });
}

function closeBlock(entries: readonly { readonly key: number; readonly at: number }[], body: ByteWriter): PostingBlock {
  const head = COUNT_BYTES + entries.length * ENTRY_BYTES;
  const data = new Uint8Array(head + body.length);
  const view = viewOf(data);
  view.setUint32(0, entries.length);
  entries.forEach(({ key, at }, i) => {
    const place = COUNT_BYTES + i * ENTRY_BYTES;
    view.setUint16(place, Math.floor(key / LOW));
    view.setUint32(place + 2, key % LOW);
    view.setUint32(place + 6, at);
  });
  data.set(body.bytes(), head);
  return { firstKey: entries[0]?.key ?? 0, data };
}

/** Bytes that are written one after the other. */
class ByteWriter {
  #bytes = new Uint8Array(BLOCK_BYTES + 256);
  length = 0;

  byte(value: number): void {
    if (this.length === this.#bytes.length) {
      const larger = new Uint8Array(this.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.length] = value;
    this.length += 1;
  }

  /** A whole number in seven bits a byte, the lowest first. */
  number(value: number): void {
    let rest = value;
    for (; rest >= 128; rest >>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}
