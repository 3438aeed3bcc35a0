import type { Database } from '../../store/database.ts';
import type { VectorStore } from '../search/vector-store.ts';
import { inLists } from './in-list.ts';
import { bytesOf } from './row-values.ts';

/** Vectors of texts, kept beside the index. */
export function keptVectors(db: Database): VectorStore {
  return {
    get: (model, digests) => new Map(inLists(digests, (list, params) => db.all(`SELECT digest, vector FROM vectors WHERE digest IN ${list} AND model = ?`, [...params, model])).map((row) => {
      const bytes = bytesOf(row['vector']);
      return [String(row['digest']), new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)];
    })),
    put: (model, vectors) => db.transaction(() => {
      for (const [digest, { buffer, byteOffset, byteLength }] of vectors) {
        db.run('DELETE FROM vectors WHERE digest = ? AND model = ?', [digest, model]);
        db.run('INSERT INTO vectors (digest, model, vector) VALUES (?, ?, ?)', [digest, model, new Uint8Array(buffer, byteOffset, byteLength)]);
      }
    }),
  };
}
