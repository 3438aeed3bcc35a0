import { documentTerms } from '../search/document-terms.ts';
import { indexText } from '../search/index-text.ts';
import { textDigest } from '../search/text-digest.ts';
import type { IndexStore, NewSkill, RootRecord } from './index-store.ts';
import { mayBeOffered, newSkill, type IndexedSkill } from './new-skill.ts';
import { packBlocks } from './postings.ts';
import { collectWords } from './word-collector.ts';

/** The root of a batch; its real path tells which skills are linked to. */
export interface BatchRoot {
  readonly real: string;
  readonly record: Pick<RootRecord, 'id'>;
}

/** Skills of one root that are gathered and then written at once. */
export interface BatchBuilder {
  add(skill: IndexedSkill): void;
  /** A place at which there is no skill any more. */
  remove(place: string): void;
  /** How much waits to be written. */
  size(): number;
  /** Writes what waits. Throws the errors of the store; it stays to be written then. */
  flush(): void;
}

/** A batch for a root. */
export function batchFor(store: IndexStore, at: BatchRoot): BatchBuilder {
  let skills: NewSkill[] = [];
  let removed: string[] = [];
  let words = collectWords();
  let docs = 0;
  const stems = new Map<string, string>();
  return {
    add: (skill) => {
      const text = mayBeOffered(skill.facts) ? indexText(skill.facts, skill.body) : undefined;
      const written = text && store.tags.get(textDigest(text));
      const made = newSkill(skill, { real: at.real, hasTags: written !== undefined });
      skills.push(made);
      if (!made.claims) return;
      if (text) words.add(docs, documentTerms(written ? { ...text, tags: [...(text.tags ?? []), ...written] } : text, stems));
      docs += 1;
    },
    remove: (place) => void removed.push(place),
    size: () => skills.length + removed.length,
    flush: () => {
      if (skills.length + removed.length === 0) return;
      store.apply(at.record.id, { skills, removed, blocks: [...packBlocks(words.words())] });
      [skills, removed, words, docs] = [[], [], collectWords(), 0];
    },
  };
}
