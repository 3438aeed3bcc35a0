import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { commandFacts } from './command-facts.ts';
import type { SkillFacts } from './kept-skill.ts';
import { documentReader } from './read-entry.ts';
import type { FoundSkill } from './walk-root.ts';

/** A skill as its file says, and its instructions. */
export interface ReadFound {
  readonly facts: SkillFacts;
  readonly body: string;
}

/** Reads skills and commands that were found; `entries` are those of its folder, where they are known. */
export function foundReader(tree: ReadTree): (found: FoundSkill, entries?: readonly FolderEntry[]) => Promise<ReadFound> {
  const documentOf = documentReader(tree);
  return async ({ file, folder, command }, entries) => {
    const { body, ...facts } = await documentOf({ file, folder, entries });
    return { facts: command === undefined ? facts : commandFacts(facts, command), body };
  };
}
