import type { ReadNotes } from '../../memory/memory-notes.ts';
import type { MemoryAccess } from '../../tools/define.ts';
import { skillMemoryFolder, type MemoryPlaces, type MemoryUser } from './memory-places.ts';

/** What the tool `Memory` does in a session. Loaded with the first call. */
export function memoryAccess(places: MemoryPlaces, state: MemoryUser): MemoryAccess {
  return { run: async (request) => (await import('./use-memory.ts')).useMemory(places, state, request) };
}

/** What the memory of a skill holds for the prompt. */
export async function skillMemory(places: MemoryPlaces, skill: { readonly id: string; readonly cwd: string }): Promise<ReadNotes> {
  const folder = skillMemoryFolder(places, skill);
  if (!places.host.tree.isFolder(folder)) return { text: '', problems: [] };
  const { readNotes } = await import('../../memory/memory-notes.ts');
  return readNotes(places.host.files, folder, { of: `the skill ${skill.id}`, scope: 'skill' });
}
