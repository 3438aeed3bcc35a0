import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { readDocument } from '../../skills/discover/read-entry.ts';
import { listSkillFiles } from '../../skills/files.ts';
import { checkNewSkill } from '../../skills/library/create.ts';
import { isSkillName } from '../../skills/library/skill-name.ts';
import { injectedCommands } from '../../skills/trust/injected-commands.ts';
import { validateSkill } from '../../skills/validate/validate-skill.ts';

/** What the agent says that it has written. */
export interface DraftClaim {
  /** Folder of the draft, absolute. */
  readonly draft: string;
  readonly name: string;
  /** The name that the caller wants. */
  readonly wanted: string | undefined;
}

/** A draft that can be installed. */
export interface CheckedDraft {
  readonly name: string;
  /** Of the skill, absolute. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/** Looks at a draft as `skills validate` does for the open standard: the skill in it, or what is wrong, in words for the agent. */
export async function checkDraft(tree: ReadTree, { draft, name, wanted }: DraftClaim): Promise<CheckedDraft | { readonly problem: string }> {
  if (wanted !== undefined && name !== wanted) return { problem: `The skill has to be called ${wanted}, in its SKILL.md, as its folder and in the answer.` };
  if (!isSkillName(name)) return { problem: `${JSON.stringify(name.slice(0, 100))} is no name for a skill: use at most 64 lower-case letters, digits and single hyphens between them.` };
  const folder = path.join(draft, name);
  const file = path.join(folder, 'SKILL.md');
  if (!tree.isFolder(folder) || !tree.list(folder).some((entry) => entry.name === 'SKILL.md')) return { problem: `There is no file ${file}. Write the skill there, and answer when it is complete.` };
  const { diagnostics } = await validateSkill(tree, { folder, file });
  const faults = diagnostics.filter(({ severity }) => severity !== 'info');
  const { body, frontmatter } = await readDocument(tree, { folder, file });
  const problems = [...faults.map(({ message }) => message), ...ownRules(body, { name, description: frontmatter.description ?? '' })];
  if (faults.some(({ severity }) => severity === 'error') || problems.length > faults.length) return { problem: `The draft cannot be installed yet:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nMend it and answer again.` };
  return { name, folder, files: listSkillFiles(tree, folder).files.map((each) => each.path), warnings: faults.map(({ message }) => message) };
}

/** What holds for skills that a model wrote: nobody has looked at what would run when they are loaded. */
function ownRules(body: string, { name, description }: { readonly name: string; readonly description: string }): readonly string[] {
  const commands = injectedCommands(body).map((command) => `the command ${JSON.stringify(command.slice(0, 100))} would run when the skill is loaded; write it as a step instead`);
  try {
    checkNewSkill({ name, description, instructions: body });
    return commands;
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'usage') return [...commands, error.message];
    throw error;
  }
}
