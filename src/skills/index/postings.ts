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

/** The documents of one word in a block; undefined when the word is not in it. */
export function findWord(data: Uint8Array, key: number): WordPostings | undefined {
  const view = viewOf(data);
  const count = view.getUint32(0);
  let [low, high] = [0, count - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = keyAt(view, middle);
    if (found === key) return readWord(data, view, middle, count);
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** All words of a block in the order of their keys. */
export function* unpackBlock(data: Uint8Array): Generator<WordPostings> {
  const view = viewOf(data);
  const count = view.getUint32(0);
  for (let i = 0; i < count; i += 1) yield readWord(data, view, i, count);
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function keyAt(view: DataView, index: number): number {
  const at = COUNT_BYTES + index * ENTRY_BYTES;
  return view.getUint16(at) * LOW + view.getUint32(at + 2);
}

function readWord(data: Uint8Array, view: DataView, index: number, count: number): WordPostings {
  let at = COUNT_BYTES + count * ENTRY_BYTES + view.getUint32(COUNT_BYTES + index * ENTRY_BYTES + 6);
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = data[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 128) return value;
    }
  };
  const length = number();
  const docs: number[] = [];
  const impacts: number[] = [];
  for (let doc = -1, i = 0; i < length; i += 1) {
    doc += number() + 1;
    docs.push(doc);
    impacts.push(data[at] ?? 0);
    at += 1;
  }
  return { key: keyAt(view, index), docs, impacts };
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
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    this.byte(rest);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}
