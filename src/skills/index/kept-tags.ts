import type { Database } from '../../store/database.ts';
import type { TagStore } from '../search/generate-tags.ts';

/** Tags that a model wrote for skills, kept beside the index. */
export function keptTags(db: Database): TagStore {
  return {
    get: (digest) => {
      const tags = db.get('SELECT tags FROM tags WHERE digest = ?', [digest])?.['tags'];
      return typeof tags === 'string' ? toList(tags) : undefined;
    },
    put: (tags) => db.transaction(() => {
      for (const [digest, list] of tags) {
        db.run('DELETE FROM tags WHERE digest = ?', [digest]);
        db.run('INSERT INTO tags (digest, tags) VALUES (?, ?)', [digest, list.map((tag) => tag.replace(/\s+/g, ' ')).join('\n')]);
      }
    }),
  };
}

/** All of them by digest. Throws the errors of the store. */
export function allTags(db: Database): ReadonlyMap<string, readonly string[]> {
  return new Map(db.all('SELECT digest, tags FROM tags').map(({ digest, tags }) => [String(digest), toList(String(tags))]));
}

function toList(tags: string): readonly string[] {
  return tags.split('\n').filter((tag) => tag !== '');
}
