import type { FolderEntry, ReadTree } from '../../host/host.ts';
import type { ReadSkill } from './catalogue.ts';
import { canBeKept } from './kept-skill.ts';
import type { SkillCache } from './skill-cache.ts';
import type { FoundDocument } from './read-found.ts';
import type { FoundSkill } from './walk-root.ts';

/** A skill that was found, and the entries of its folder. */
export interface ListedSkill {
  readonly found: FoundSkill;
  readonly entries: readonly FolderEntry[];
}

/** Reads the skills of one search: from the cache where their files are as they were, else from the files. */
export interface SkillReader {
  /** At once where the cache knows the skill: there are many, and every promise takes its time. */
  readonly read: (skill: ListedSkill) => ReadSkill | Promise<ReadSkill>;
  /** The skill's digest; it is taken once. */
  readonly digest: (skill: ReadSkill) => Promise<string>;
}

/** Makes a reader. What it takes to read files is loaded with the first file that has to be read. */
export function createSkillReader({ tree, cache }: { readonly tree: ReadTree; readonly cache?: SkillCache | undefined }): SkillReader {
  let readFound: ((found: FoundSkill, entries: readonly FolderEntry[]) => Promise<FoundDocument>) | undefined;
  const readFile = async ({ found, entries }: ListedSkill, signature: string | undefined): Promise<ReadSkill> => {
    readFound ??= (await import('./read-found.ts')).foundReader(tree);
    const { facts } = await readFound(found, entries);
    return { found, facts, signature: canBeKept(facts) ? signature : undefined, kept: undefined, digest: undefined };
  };
  return {
    read: (skill) => {
      const { found } = skill;
      // A command is one small file.
      const { signature, kept } = (found.command === undefined ? cache?.look(found, skill.entries) : undefined) ?? {};
      return kept ? { found, facts: kept.facts, signature, kept, digest: kept.digest } : readFile(skill, signature);
    },
    digest: async (skill) => {
      if (skill.digest !== undefined) return skill.digest;
      const { digestSkill } = await import('../digest.ts');
      const { digest, diagnostics } = digestSkill(tree, skill.found.realFolder);
      skill.digest = digest;
      // What could not be read may be readable next time, and files may have come and gone since the folder was listed.
      if (diagnostics.length > 0 || cache?.look(skill.found).signature !== skill.signature) skill.signature = undefined;
      return digest;
    },
  };
}
