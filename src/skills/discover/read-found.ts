import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { commandFacts } from './command-facts.ts';
import type { SkillFacts } from './kept-skill.ts';
import { documentReader } from './read-entry.ts';
import type { FoundSkill } from './walk-root.ts';

/** A skill that was found, as it was read. */
export interface FoundDocument {
  readonly facts: SkillFacts;
  readonly body: string;
}

/** Reads skills and commands that were found. `entries` are those of the folder, where they are known. */
export function foundReader(tree: ReadTree): (found: FoundSkill, entries?: readonly FolderEntry[]) => Promise<FoundDocument> {
  const documentOf = documentReader(tree);
  return async ({ file, folder, command }, entries) => {
    const { body, ...facts } = await documentOf({ file, folder, entries: command === undefined ? entries : [] });
    return { facts: command === undefined ? facts : commandFacts(facts, command), body };
  };
}
