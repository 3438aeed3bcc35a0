import { openMemory, type Memory } from '../../memory/memory.ts';
import type { RuntimeParts } from '../parts.ts';
import { projectMemoryFolder, rootOf, skillMemoryFolder } from './memory-places.ts';

/** The memory of the project of a folder, or of a skill there. */
export function memoryOf(parts: RuntimeParts, cwd: string, skill: string | undefined): Memory {
  const folder = skill === undefined ? projectMemoryFolder(parts, rootOf(parts, cwd)) : skillMemoryFolder(parts, { id: skill, cwd });
  return openMemory(parts.host.files, folder);
}
