/** Files that were written somewhere beside, and wait for the word of the person. */
export interface ProposedFiles {
  /** What they are, for people: `the skill invoice-check`. */
  readonly what: string;
  /** Folder that they go to, absolute. */
  readonly folder: string;
  /** All of them as a patch. Texts of a model. */
  readonly patch: string;
}

/** Asks the person whether files may be put where they belong. */
export type Approve = (proposed: ProposedFiles) => Promise<boolean>;

/** New files as a patch. One that is no text is only named. */
export function newFilesPatch(files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): string {
  return files.map(({ path, bytes }) => `--- /dev/null\n+++ ${path.replace(/[\r\n]/g, '?')}\n${addedLines(bytes)}`).join('');
}

function addedLines(bytes: Uint8Array): string {
  if (bytes.includes(0)) return `(no text, ${bytes.length} bytes)\n`;
  const lines = new TextDecoder().decode(bytes).replace(/\n$/, '').split('\n');
  return `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
}
