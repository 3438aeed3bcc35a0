import { SkillmintError } from '../../protocol/errors.ts';
import type { SharedWords } from '../../skills/search/shared-words.ts';
import type { PgRow, Postgres } from '../../store/postgres/postgres.ts';

const TAGS = 'tags';

/** Tags and vectors of a tenant in PostgreSQL. A search or a turn does not fail for them: what goes wrong is told, and they are made anew. */
export function sharedWords({ db, tenant, log }: { readonly db: Postgres; readonly tenant: string; readonly log: (line: string) => void }): SharedWords {
  const telling = async <T>(missing: T, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SkillmintError)) throw error;
      log(`tags and vectors of other workers cannot be had: ${error.message}`);
      return missing;
    }
  };
  const read = <T>(kind: string, digests: readonly string[], valueOf: (row: PgRow) => T): Promise<ReadonlyMap<string, T>> => telling(new Map<string, T>(), async () => {
    const { rows } = await db.query(`SELECT digest, text, encode(vector, 'base64') AS vector FROM skillmint.skill_words WHERE tenant = $1 AND kind = $2 AND digest = ANY($3)`, [tenant, kind, digests]);
    return new Map(rows.map((row) => [String(row['digest']), valueOf(row)]));
  });
  return {
    tags: (digests) => read(TAGS, digests, (row) => String(row['text']).split('\n').filter((tag) => tag !== '')),
    putTags: (tags) => telling(undefined, async () => {
      await db.query('INSERT INTO skillmint.skill_words (tenant, kind, digest, text) SELECT $1, $2, * FROM unnest($3::text[], $4::text[]) ON CONFLICT DO NOTHING', [tenant, TAGS, [...tags.keys()], [...tags.values()].map((list) => list.map((tag) => tag.replace(/\s+/g, ' ')).join('\n'))]);
    }),
    vectors: (model, digests) => read(kindOf(model), digests, (row) => {
      const bytes = Uint8Array.from(Buffer.from(String(row['vector']), 'base64'));
      return new Float32Array(bytes.buffer, 0, bytes.byteLength >> 2);
    }),
    putVectors: (model, vectors) => telling(undefined, async () => {
      const encoded = [...vectors.values()].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('base64'));
      await db.query(`INSERT INTO skillmint.skill_words (tenant, kind, digest, vector) SELECT $1, $2, digest, decode(vector, 'base64') FROM unnest($3::text[], $4::text[]) AS given (digest, vector) ON CONFLICT DO NOTHING`, [tenant, kindOf(model), [...vectors.keys()], encoded]);
    }),
  };
}

function kindOf(model: string): string {
  return `vector ${model}`;
}
