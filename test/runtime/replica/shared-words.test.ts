import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Fetch } from '../../../src/egress/http-fetch.ts';
import { requirePostgresSchema } from '../../../src/runtime/database/postgres-schema.ts';
import { sharedWords } from '../../../src/runtime/replica/shared-words.ts';
import { embedTexts } from '../../../src/skills/search/embeddings.ts';
import { generateTags, type TagStore } from '../../../src/skills/search/generate-tags.ts';
import type { VectorStore } from '../../../src/skills/search/vector-store.ts';
import { openPostgres, type Postgres } from '../../../src/store/postgres/postgres.ts';
import { startCluster, withoutPostgres, type Cluster } from '../../helpers/postgres.ts';

const signal = new AbortController().signal;

/** What one worker keeps. */
function stores(): { readonly tags: TagStore; readonly vectors: VectorStore } {
  const [tags, vectors] = [new Map<string, readonly string[]>(), new Map<string, Float32Array>()];
  return {
    tags: { get: (digest) => tags.get(digest), put: (more) => more.forEach((list, digest) => tags.set(digest, list)) },
    vectors: { get: (_model, digests) => new Map(digests.flatMap((digest) => { const vector = vectors.get(digest); return vector ? [[digest, vector]] : []; })), put: (_model, more) => more.forEach((vector, digest) => vectors.set(digest, vector)) },
  };
}

describe.skipIf(withoutPostgres)('tags and vectors that workers share', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  async function opened(): Promise<{ readonly db: Postgres; readonly lines: string[] }> {
    const db = await openPostgres(await cluster.database());
    onTestFinished(() => db.close());
    await requirePostgresSchema(db);
    return { db, lines: [] };
  }

  it('are paid for once by a tenant, and again by another', async () => {
    const { db, lines } = await opened();
    const of = (tenant: string) => sharedWords({ db, tenant, log: (line) => lines.push(line) });
    const skills = ['a', 'b'].map((name) => ({ digest: name, name, description: name, body: '' }));
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return { kind: 'answer', text: '{"1":["one word","潮汐"],"2":["two"]}' } as const;
    };
    expect(await generateTags(skills, { ask, store: stores().tags, shared: of('ann'), signal })).toEqual({ kind: 'written', count: 2 });
    const second = stores();
    expect(await generateTags(skills, { ask, store: second.tags, shared: of('ann'), signal })).toEqual({ kind: 'written', count: 2 });
    expect([asked, second.tags.get('a'), second.tags.get('b')]).toEqual([1, ['one word', '潮汐'], ['two']]);
    await generateTags(skills, { ask, store: stores().tags, shared: of('bert'), signal });
    expect(asked).toBe(2);

    let fetched = 0;
    const fetch: Fetch = async () => {
      fetched += 1;
      return { ok: true, status: 200, text: async () => JSON.stringify({ data: [{ index: 0, embedding: [3, 4] }, { index: 1, embedding: [0, 1] }] }) } as never;
    };
    const endpoint = { baseUrl: 'http://127.0.0.1:1', model: 'm' };
    const first = await embedTexts(['x', 'y'], { endpoint, fetch, store: stores().vectors, shared: of('ann') });
    const again = await embedTexts(['x', 'y'], { endpoint, fetch, store: stores().vectors, shared: of('ann') });
    expect([fetched, [...(again.vectors.get('x') ?? [])]]).toEqual([1, [...(first.vectors.get('x') ?? [])]]);
    await embedTexts(['x', 'y'], { endpoint: { ...endpoint, model: 'other' }, fetch, store: stores().vectors, shared: of('ann') });
    await embedTexts(['x', 'y'], { endpoint, fetch, store: stores().vectors, shared: of('bert') });
    expect([fetched, lines]).toEqual([3, []]);
  });

  it('are made anew, with a line, where the database does not answer', async () => {
    const db = await openPostgres('postgres://x@127.0.0.1:1/y');
    onTestFinished(() => db.close());
    const lines: string[] = [];
    const skills = [{ digest: 'a', name: 'a', description: 'a', body: '' }];
    const written = await generateTags(skills, { ask: async () => ({ kind: 'answer', text: '{"1":["word"]}' }), store: stores().tags, shared: sharedWords({ db, tenant: 'ann', log: (line) => lines.push(line) }), signal });
    expect(written).toEqual({ kind: 'written', count: 1 });
    expect(lines).toEqual([expect.stringContaining('nothing answers there'), expect.stringContaining('nothing answers there')]);
  });
});
