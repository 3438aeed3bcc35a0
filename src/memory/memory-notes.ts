import type { HostFiles } from '../host/host.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { openMemory } from './memory.ts';
import { foldKey, PROMPT_KEY } from './memory-key.ts';
import { memoryText, type MemoryNotes } from './notes-text.ts';

/** What a memory holds for the prompt, and a sentence on why it holds nothing. */
export interface ReadNotes {
  readonly text: string;
  readonly problems: readonly string[];
}

/** What the model is told of the memory in a folder. One that cannot be read keeps no session from going on. */
export async function readNotes(files: HostFiles, folder: string, about: Pick<MemoryNotes, 'of' | 'scope'>): Promise<ReadNotes> {
  const memory = openMemory(files, folder);
  try {
    const keys = (await memory.list()).map(({ key }) => key);
    const main = keys.find((key) => foldKey(key) === foldKey(PROMPT_KEY));
    const text = main === undefined ? undefined : (await memory.read(main)).text;
    return { text: memoryText({ ...about, text, others: keys.filter((key) => key !== main) }), problems: [] };
  } catch (error) {
    if (error instanceof SkillmintError) return { text: '', problems: [error.message] };
    throw error;
  }
}
