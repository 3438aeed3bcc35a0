const MOST_CHARS = 64;
/** Names that Windows keeps for devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const PLAIN = /^[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._-]*$/u;

/** The entry that is part of the prompt. */
export const PROMPT_KEY = 'MEMORY';

/** A key as it is stored, or one sentence on what is wrong with it. */
export type KeyAnswer = { readonly key: string } | { readonly problem: string };

/** Reads a key that a model gives. It is the name of a file without its `.md`, never a path. */
export function readKey(given: string): KeyAnswer {
  const key = given.normalize('NFC').replace(/\.md$/i, '');
  if (key === '') return { problem: 'The key is empty. Give the entry a name, for example build-commands.' };
  if (key.length > MOST_CHARS) return { problem: `The key is longer than ${MOST_CHARS} characters. Give a short name.` };
  if (/[/\\]/.test(key) || /^\.+$/.test(key)) return { problem: `The key ${JSON.stringify(key)} is a path. Give a name without folders; every entry lies in the memory's own folder.` };
  if (!PLAIN.test(key) || key.endsWith('.')) return { problem: `The key ${JSON.stringify(key)} cannot be used. Give a name of letters, digits, ".", "_" and "-" that neither begins nor ends with a dot.` };
  if (DEVICES.test(key)) return { problem: `The key ${JSON.stringify(key)} is a name of Windows. Give another one.` };
  return { key };
}

/** Keys that differ only so are one: file systems that do not tell them apart exist. */
export function foldKey(key: string): string {
  return key.normalize('NFC').toLowerCase();
}

/** The key of a file of a memory; undefined for a file that is no entry. */
export function keyOfFile(name: string): string | undefined {
  if (!name.endsWith('.md')) return undefined;
  const answer = readKey(name);
  return 'key' in answer ? name.slice(0, -'.md'.length) : undefined;
}
