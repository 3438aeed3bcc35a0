import { createHash } from 'node:crypto';
import type { Fetch, FetchResponse } from '../../egress/http-fetch.ts';
import { messageOf } from '../../protocol/errors.ts';
import { isJsonObject, parseJson } from '../../protocol/json.ts';
import type { SharedWords } from './shared-words.ts';
import type { VectorStore } from './vector-store.ts';

/** An OpenAI-compatible endpoint for embeddings. */
export interface EmbeddingsEndpoint {
  /** Without `/embeddings`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

/** What embedding takes. */
export interface EmbeddingsOptions {
  readonly endpoint: EmbeddingsEndpoint;
  readonly fetch: Fetch;
  readonly store: VectorStore;
  /** Vectors that other workers have; looked for before the endpoint is asked. */
  readonly shared?: SharedWords | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Vectors of length 1 by text, as far as they could be had; `warning` says why some are missing. */
export interface Embedded {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly warning?: string;
}

const BATCH = 64;
const LONGEST_TEXT = 4_000;
const TIMEOUT_MS = 20_000;

/**
 * Embeds texts, those that are not kept yet in batches of 64, each cut to 4,000 characters. Never throws for what the
 * endpoint does: the answer then has the vectors that there are and a warning for the person.
 */
export async function embedTexts(texts: readonly string[], options: EmbeddingsOptions): Promise<Embedded> {
  const { endpoint: { model }, store, shared } = options;
  const byDigest = new Map(texts.map((text) => [digestOf(text), text]));
  const known = new Map(store.get(model, [...byDigest.keys()]));
  const wanted = [...byDigest.keys()].filter((digest) => !known.has(digest));
  const others = wanted.length === 0 ? undefined : await shared?.vectors(model, wanted);
  if (others && others.size > 0) store.put(model, others);
  for (const [digest, vector] of others ?? []) known.set(digest, vector);
  const missing = wanted.filter((digest) => !known.has(digest));
  let warning: string | undefined;
  for (let from = 0; from < missing.length && warning === undefined; from += BATCH) {
    const digests = missing.slice(from, from + BATCH);
    const answer = await requestVectors(digests.map((digest) => byDigest.get(digest)?.slice(0, LONGEST_TEXT) ?? ''), options);
    if (typeof answer === 'string') warning = answer;
    else {
      const fresh = new Map(answer.flatMap((vector, i): [string, Float32Array][] => [[digests[i] ?? '', vector]]));
      store.put(model, fresh);
      await shared?.putVectors(model, fresh);
      for (const [digest, vector] of fresh) known.set(digest, vector);
    }
  }
  const vectors = new Map([...byDigest].flatMap(([digest, text]): [string, Float32Array][] => {
    const vector = known.get(digest);
    return vector ? [[text, vector]] : [];
  }));
  return warning === undefined ? { vectors } : { vectors, warning };
}

/** Vectors in the order of the texts, or what went wrong. */
async function requestVectors(input: readonly string[], { endpoint, fetch, signal }: EmbeddingsOptions): Promise<readonly Float32Array[] | string> {
  const failure = (what: string): string => `The embeddings endpoint ${endpoint.baseUrl} (skills.embeddings) ${what}; skills were searched by their words alone.`;
  const ended = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(`${endpoint.baseUrl.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` }) },
      body: JSON.stringify({ model: endpoint.model, input }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, ended]) : ended,
    });
    return await vectorsOf(response, input.length).then((answer) => (typeof answer === 'string' ? failure(answer) : answer));
  } catch (error) {
    if (signal?.aborted) throw error;
    return failure(ended.aborted ? `did not answer within ${TIMEOUT_MS / 1_000} s` : `cannot be reached: ${messageOf(error)}`);
  }
}

async function vectorsOf(response: FetchResponse, count: number): Promise<readonly Float32Array[] | string> {
  const text = await response.text();
  if (!response.ok) return `answered with status ${response.status}`;
  const json = parseJson(text);
  const data = isJsonObject(json) && Array.isArray(json['data']) ? json['data'] : [];
  const vectors: Float32Array[] = [];
  data.forEach((item, i) => {
    if (!isJsonObject(item)) return;
    const { embedding, index } = item;
    const numbers = Array.isArray(embedding) ? embedding.filter((each) => typeof each === 'number') : [];
    if (numbers.length > 0) vectors[typeof index === 'number' ? index : i] = unit(Float32Array.from(numbers));
  });
  const lengths = new Set(Array.from({ length: count }, (_, i) => vectors[i]?.length));
  return vectors.length === count && lengths.size === 1 && !lengths.has(undefined) ? vectors : 'gave no vector for each text';
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((each) => each / length) : vector;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
