import { yamlText } from './yaml-text.ts';

const EXAMPLE = `## What to do

1. Read what the person gave you.
2. Do the work step by step. Name the commands and files that are needed; keep scripts in \`scripts/\` and longer
   reference texts in \`references/\`, and say here when to run or read them.
3. Check the result before you answer.

## Example

Asked: …
Answer: …`;

/** The text of a SKILL.md of the open standard. */
export function skillTemplate({ name, description, instructions }: { readonly name: string; readonly description: string; readonly instructions?: string | undefined }): string {
  return `---\nname: ${yamlText(name)}\ndescription: ${yamlText(description)}\n---\n\n${(instructions ?? `# ${titleOf(name)}\n\n${EXAMPLE}`).trim()}\n`;
}

/** `monthly-report` is `Monthly report`. */
function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
