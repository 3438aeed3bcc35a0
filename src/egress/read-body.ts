import { pipeline, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { SkillmintError, messageOf } from '../protocol/errors.ts';
import { networkFailed } from './connect.ts';
import type { Deadline } from './deadline.ts';
import { displayUrl } from './display-url.ts';
import type { WireAnswer } from './exchange.ts';

/** Encodings that are asked for when bodies are decoded. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** How a body is read: `decode` undoes its content encoding, `keep` gives the bytes as they were sent. */
export interface BodyReading {
  readonly url: URL;
  readonly encoding: 'decode' | 'keep';
  /** Most bytes, as sent and as decoded. */
  readonly bodyBytes: number;
  readonly deadline: Deadline;
}

/**
 * The body of an answer, piece by piece. Throws `network_failed` when it is larger than allowed (at once where its length
 * is announced), broken or cut off, and the deadline's reason. The line is closed and the deadline stopped at the end, however it comes.
 */
export async function* readBody(answer: WireAnswer, reading: BodyReading): AsyncGenerator<Uint8Array> {
  const { url, bodyBytes, deadline } = reading;
  try {
    if (Number(answer.headers['content-length'] ?? 0) > bodyBytes) throw tooLarge(url, bodyBytes);
    let bytes = 0;
    for await (const chunk of decoded(answer, reading)) {
      bytes += chunk.length;
      if (bytes > bodyBytes) throw tooLarge(url, bodyBytes);
      yield chunk;
    }
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (error instanceof SkillmintError) throw error;
    throw networkFailed(url, `was not received whole: ${messageOf(error)}`, error);
  } finally {
    answer.destroy();
    deadline.stop();
  }
}

/** The bytes as they were sent, counted. */
async function* received(answer: AsyncIterable<Uint8Array>, { url, bodyBytes, deadline }: BodyReading): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of answer) {
    deadline.touch();
    bytes += chunk.length;
    if (bytes > bodyBytes) throw tooLarge(url, bodyBytes);
    yield chunk;
  }
}

function tooLarge(url: URL, limit: number): SkillmintError {
  const mebibytes = limit / 1024 / 1024;
  const size = mebibytes >= 1 ? `${Math.floor(mebibytes)} MiB` : `${limit} bytes`;
  return new SkillmintError('network_failed', `${displayUrl(url)} is larger than ${size}, the most that is fetched; nothing was kept.`);
}

function decoded(answer: WireAnswer, reading: BodyReading): AsyncIterable<Uint8Array> {
  const name = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (reading.encoding === 'keep' || name === 'identity' || name === '') return received(answer, reading);
  const decoder = decoderOf(name);
  if (decoder === undefined) throw networkFailed(reading.url, `comes in the encoding ${JSON.stringify(name)}, which was not asked for`);
  // Errors reach whoever reads the decoder.
  return pipeline(received(answer, reading), decoder, () => undefined);
}

function decoderOf(name: string): Transform | undefined {
  switch (name) {
    case 'gzip':
    case 'x-gzip': return zlib.createGunzip();
    case 'deflate': return zlib.createInflate();
    case 'br': return zlib.createBrotliDecompress();
    default: return undefined;
  }
}
