/** `` !`command` `` wherever it stands, and blocks that are opened with ` ```! `. */
const COMMAND = /!`([^`\n]+)`|^[ \t]*(`{3,}|~{3,})![^\n]*\n([^]*?)(?:^[ \t]*\2|(?![^]))/gm;

/**
 * Commands in a skill's text that could run when it is loaded. More than will run: those within code blocks or words are
 * listed, too, since a person who is to trust the text should see every one.
 */
export function injectedCommands(body: string): readonly string[] {
  return [...body.matchAll(COMMAND)].map(([, single, , block]) => (single ?? block ?? '').trim()).filter((command) => command !== '');
}
