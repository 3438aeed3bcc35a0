import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { embedTexts, type EmbeddingsOptions } from '../../../src/skills/search/embeddings.ts';
import { fuse } from '../../../src/skills/search/fuse.ts';
import type { VectorStore } from '../../../src/skills/search/vector-store.ts';

interface Asked {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

let asked: Asked[];
let answer: (input: readonly string[]) => { readonly status: number; readonly body: string };
let server: http.Server;
beforeEach(async () => {
  asked = [];
  // The order of the answer is not that of the question; the index tells.
  answer = (input) => ({ status: 200, body: JSON.stringify({ data: input.map((text, index) => ({ index, embedding: [text.length, 1] })).reverse() }) });
  server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (data) => (text += String(data)));
    request.on('end', () => {
      const body = JSON.parse(text);
      asked.push({ url: request.url, authorization: request.headers.authorization, body });
      const { status, body: sent } = answer(body.input);
      response.writeHead(status).end(sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function storeInMemory(): VectorStore {
  const kept = new Map<string, Float32Array>();
  return {
    get: (model, digests) => new Map(digests.flatMap((digest): [string, Float32Array][] => {
      const vector = kept.get(`${model} ${digest}`);
      return vector ? [[digest, vector]] : [];
    })),
    put: (model, vectors) => vectors.forEach((vector, digest) => kept.set(`${model} ${digest}`, vector)),
  };
}

function optionsOf(store: VectorStore = storeInMemory()): EmbeddingsOptions {
  // A server that listens on a port has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return { endpoint: { baseUrl: `http://127.0.0.1:${port}/v1/`, model: 'm', apiKey: 'k' }, fetch: (url, init) => fetch(url, init), store };
}

describe('embedding texts', () => {
  test('in batches, with key and model; vectors have length 1 and belong to their texts', async () => {
    const texts = Array.from({ length: 100 }, (_, i) => 'x'.repeat(i + 1));
    const { vectors, warning } = await embedTexts(texts, optionsOf());
    expect(warning).toBeUndefined();
    expect(asked.map(({ body }) => body.input.length)).toEqual([64, 36]);
    expect(asked[0]).toMatchObject({ url: '/v1/embeddings', authorization: 'Bearer k', body: { model: 'm' } });
    expect(vectors.size).toBe(100);
    const [a = 0, b = 0] = vectors.get('xxx') ?? [];
    expect(a / b).toBeCloseTo(3, 4);
    expect(Math.hypot(a, b)).toBeCloseTo(1, 5);
  });

  test('what is kept is not asked for again, another model is', async () => {
    const store = storeInMemory();
    await embedTexts(['a', 'b', 'a'], optionsOf(store));
    const { vectors } = await embedTexts(['b', 'c'], optionsOf(store));
    expect(asked.map(({ body }) => body.input)).toEqual([['a', 'b'], ['c']]);
    expect([...vectors.keys()]).toEqual(['b', 'c']);
    const other = optionsOf(store);
    await embedTexts(['b'], { ...other, endpoint: { ...other.endpoint, model: 'n' } });
    expect(asked).toHaveLength(3);
  });

  test.each([
    ['an error status', { status: 500, body: 'no' }, 'status 500'],
    ['no JSON', { status: 200, body: '<html>' }, 'no vector for each text'],
    ['too few vectors', { status: 200, body: '{"data":[]}' }, 'no vector for each text'],
    ['vectors of two lengths', { status: 200, body: '{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}' }, 'no vector for each text'],
    ['an index from elsewhere', { status: 200, body: '{"data":[{"index":0,"embedding":[1]},{"index":9,"embedding":[1]}]}' }, 'no vector for each text'],
  ])('%s: a warning that names the setting, and no vector', async (_, sent, said) => {
    answer = () => sent;
    const { vectors, warning } = await embedTexts(['a', 'b'], optionsOf());
    expect(warning).toContain(said);
    expect(warning).toContain('skills.embeddings');
    expect(vectors.size).toBe(0);
  });

  test('a failure keeps what came before it; nobody there is a warning, too', async () => {
    const usual = answer;
    answer = (input) => (asked.length > 1 ? { status: 429, body: '' } : usual(input));
    const first = await embedTexts(Array.from({ length: 80 }, (_, i) => `t${i}`), optionsOf());
    expect(first.vectors.size).toBe(64);
    expect(first.warning).toContain('429');
    const options = optionsOf();
    const { vectors, warning } = await embedTexts(['a'], { ...options, endpoint: { ...options.endpoint, baseUrl: 'http://127.0.0.1:1' } });
    expect(vectors.size).toBe(0);
    expect(warning).toContain('cannot be reached');
  });

  test('stopping is no failure of the endpoint', async () => {
    await expect(embedTexts(['a'], { ...optionsOf(), signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });
});

describe('fusing with the ranking by words', () => {
  const candidate = (id: string, vector?: readonly number[]) => ({ id, vector: vector ? Float32Array.from(vector) : undefined });
  const near = [1, 0];
  const far = [0, 1];

  test('meaning lifts a candidate by some places, not from anywhere to the top', () => {
    const ids = fuse([candidate('a', far), candidate('b', far), candidate('c', near), ...Array.from({ length: 20 }, (_, i) => candidate(`x${i}`, far)), candidate('z', near)], Float32Array.from(near)).map(({ id }) => id);
    expect(ids.indexOf('c')).toBeLessThan(2);
    expect(ids.indexOf('z')).toBeGreaterThan(0);
    expect(ids.indexOf('z')).toBeLessThan(23);
  });

  test('without vectors, or with vectors of another model, nothing changes', () => {
    for (const vector of [undefined, [1, 2, 3]]) {
      const candidates = ['a', 'b', 'c'].map((id) => candidate(id, vector));
      expect(fuse(candidates, Float32Array.from(near)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    }
    expect(fuse([], Float32Array.from(near))).toEqual([]);
  });
});
