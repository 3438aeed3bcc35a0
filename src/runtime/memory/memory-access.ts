import type { ReadNotes } from '../../memory/memory-notes.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { failed } from '../../protocol/tool.ts';
import type { MemoryAccess } from '../../tools/define.ts';
import type { RuntimeParts } from '../parts.ts';
import { skillMemoryFolder, type MemoryPlaces, type MemoryUser } from './memory-places.ts';

/** What the tool `Memory` does in a session. Loaded with the first call. */
export function memoryAccess({ replica, ...places }: MemoryPlaces & Pick<RuntimeParts, 'replica'>, state: MemoryUser): MemoryAccess {
  const run: MemoryAccess['run'] = async (request) => (await import('./use-memory.ts')).useMemory(places, state, request);
  if (!replica) return { run };
  return {
    async run(request) {
      try {
        if (request.action === 'write' || request.action === 'delete') return await replica.change(() => run(request));
        await replica.fresh();
        return await run(request);
      } catch (error) {
        if (error instanceof SkillmintError) return failed(error.message);
        throw error;
      }
    },
  };
}

/** What the memory of a skill holds for the prompt. */
export async function skillMemory(places: MemoryPlaces, skill: { readonly id: string; readonly cwd: string }): Promise<ReadNotes> {
  const folder = skillMemoryFolder(places, skill);
  if (!places.host.tree.isFolder(folder)) return { text: '', problems: [] };
  const { readNotes } = await import('../../memory/memory-notes.ts');
  return readNotes(places.host.files, folder, { of: `the skill ${skill.id}`, scope: 'skill' });
}
