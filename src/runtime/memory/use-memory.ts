import { openMemory, type Memory } from '../../memory/memory.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { failed, ok, type ToolOutcome } from '../../protocol/tool.ts';
import type { MemoryRequest } from '../../tools/define.ts';
import { never } from '../../util/never.ts';
import { projectFolder } from '../session/project-folder.ts';
import { projectMemoryFolder, rootOf, skillMemoryFolder, type MemoryPlaces, type MemoryUser } from './memory-places.ts';

/** Does what a call of the tool `Memory` asks for; what is wrong with it is a failure in a sentence. */
export async function useMemory(places: MemoryPlaces, state: MemoryUser, request: MemoryRequest): Promise<ToolOutcome> {
  const chosen = chooseMemory(places, state, request);
  if ('problem' in chosen) return failed(chosen.problem);
  try {
    return await act(openMemory(places.host.files, chosen.folder), request, chosen.of);
  } catch (error) {
    if (error instanceof SkillmintError) return failed(error.message);
    throw error;
  }
}

function chooseMemory(places: MemoryPlaces, state: MemoryUser, { scope, skill }: MemoryRequest): { readonly folder: string; readonly of: string } | { readonly problem: string } {
  const { skills, bound } = state;
  const cwd = projectFolder(state);
  const active = [...skills.keys()];
  const wanted = skill ?? (bound && skills.has(bound.skill_id) ? bound.skill_id : undefined);
  if ((scope ?? (skill === undefined && wanted === undefined ? 'project' : 'skill')) === 'project') return { folder: projectMemoryFolder(places, rootOf(places, cwd)), of: 'the project' };
  const fitting = wanted === undefined ? active : active.filter((id) => id === wanted || id.slice(id.lastIndexOf(':') + 1) === wanted);
  const [id] = fitting;
  if (id !== undefined && fitting.length === 1) return { folder: skillMemoryFolder(places, { id, cwd }), of: `the skill ${id}` };
  if (active.length === 0) return { problem: 'No skill is active, so there is no memory of one. Use the scope project.' };
  return { problem: `${fitting.length === 0 ? `The skill ${wanted ?? ''} is not active` : 'Several skills are active'}. Say whose memory is meant: skill is one of ${active.join(', ')}.` };
}

async function act(memory: Memory, { action, key, content = '' }: MemoryRequest, of: string): Promise<ToolOutcome> {
  switch (action) {
    case 'list': {
      const entries = await memory.list();
      return ok(entries.length === 0 ? `The memory of ${of} is empty.` : [`The memory of ${of}:`, ...entries.map((entry) => `- ${entry.key} (${entry.size} bytes, ${new Date(entry.changedMs).toISOString().slice(0, 10)})`)].join('\n'));
    }
    case 'read': {
      const { text, cut } = await memory.read(key);
      return ok(`${text}${cut ? '\n[cut: the entry is longer than an entry may be]' : ''}`);
    }
    case 'write': {
      const entry = await memory.write(key, content);
      return ok(`${entry.key} is kept in the memory of ${of} (${entry.size} bytes).`);
    }
    case 'delete':
      await memory.remove(key);
      return ok(`The entry was deleted from the memory of ${of}.`);
    default: return never(action);
  }
}
