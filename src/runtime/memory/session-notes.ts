import { isTrustedFolder } from '../../config/load-settings.ts';
import { instructionFiles, type InstructionFile } from '../../memory/instruction-files.ts';
import type { EventBody } from '../../protocol/events.ts';
import { projectFolder } from '../session/project-folder.ts';
import { projectMemoryFolder, rootOf } from './memory-places.ts';
import type { NotesOfProject, SessionNotesParts } from './read-session-notes.ts';

/** Sub-agents that only look around do without instructions. */
const WITHOUT_INSTRUCTIONS: ReadonlySet<string | undefined> = new Set(['explore', 'plan']);

/**
 * The events that bring the project's instructions and the beginning of its memory into the system prompt: none while they are
 * what stands there. A sub-agent gets the instructions unless it only looks around, and no memory. Where there are neither
 * files nor a memory, it takes some looks at the file system and loads nothing.
 */
export async function notesEvents(parts: SessionNotesParts): Promise<readonly EventBody[]> {
  const { places, state, settings } = parts;
  const { tree } = places.host;
  const given: NotesOfProject = { ...parts, root: rootOf(places, projectFolder(state)) };
  const found = settings.values.instructions && !WITHOUT_INSTRUCTIONS.has(state.agent?.type) ? findFiles(given) : [];
  const folder = settings.values.memory && !state.parent_run ? projectMemoryFolder(places, given.root) : undefined;
  const kept = folder !== undefined && tree.isFolder(folder) ? folder : undefined;
  if (found.length === 0 && kept === undefined && state.instructions === '') return [];
  const { readSessionNotes } = await import('./read-session-notes.ts');
  const { files, text, problems } = await readSessionNotes(given, { found, memoryFolder: kept });
  const isNew = text !== state.instructions;
  if (!isNew && state.messages.length > 1) return [];
  return [
    ...(isNew ? [{ type: 'instructions.loaded', files, text } as const] : []),
    ...problems.map((message): EventBody => ({ type: 'warning', code: 'instructions', message })),
  ];
}

function findFiles({ places: { host: { tree }, home, dataFolder }, root, state, settings: { values } }: NotesOfProject): readonly InstructionFile[] {
  return instructionFiles({ tree, cwd: projectFolder(state), root, home, dataFolder, trusted: (folder) => values.trustedFolders.length > 0 && isTrustedFolder(tree, folder, values.trustedFolders) });
}
