import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../digest.ts';
import type { SkillFrontmatter } from '../read/fields.ts';
import { commandFacts } from './command-facts.ts';
import { readDocument } from './read-entry.ts';
import type { SkillEntry } from './skill-entry.ts';

/** What a skill says and asks for at this moment. */
export interface SkillNow {
  /** Stands for just this text and these fields. */
  readonly digest: string;
  readonly frontmatter: SkillFrontmatter;
  readonly body: string;
}

/**
 * Reads a skill anew. What was read when it was found may be of another state than the one that is trusted by its digest, so
 * nothing of that counts. Rejects with `skill_not_found` for a skill that cannot be read or used any more, with `library_busy` for one that changes meanwhile.
 */
export async function readSkillNow(tree: ReadTree, entry: SkillEntry): Promise<SkillNow> {
  const { digest } = digestSkill(tree, entry.folder);
  const { body, ...read } = await readDocument(tree, { file: entry.path, folder: entry.folder });
  if (read.status === 'rejected') throw new SkillmintError('skill_not_found', `the skill ${entry.name} cannot be used: ${read.reason ?? ''} (${entry.path})`);
  if (digestSkill(tree, entry.folder).digest !== digest) throw new SkillmintError('library_busy', `the skill ${entry.name} changed while it was read (${entry.folder}); load it again`);
  const { frontmatter } = entry.path === entry.folder ? commandFacts(read, entry.name) : read;
  return { digest, frontmatter, body };
}
