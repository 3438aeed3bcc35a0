import path from 'node:path';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { realOrSame } from '../../config/read-settings.ts';
import { isInside } from '../../host/paths.ts';
import type { InstructionFile } from '../../memory/instruction-files.ts';
import { readNotes } from '../../memory/memory-notes.ts';
import { instructionsText } from '../../memory/notes-text.ts';
import { readInstructions, type Instructions, type InstructionReader } from '../../memory/read-instructions.ts';
import { placeOf, type Workspace } from '../../permissions/places.ts';
import { meets } from '../../permissions/rule-match.ts';
import type { ParsedRules } from '../../permissions/rules.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { RuntimeParts } from '../parts.ts';

/** What the notes of a session come from. */
export interface SessionNotesParts {
  readonly places: Pick<RuntimeParts, 'host' | 'home' | 'dataFolder'>;
  readonly state: Pick<SessionState, 'cwd' | 'instructions' | 'parent_run' | 'agent' | 'messages'>;
  readonly settings: LoadedSettings;
  readonly workspace: () => Workspace;
  readonly rules: () => ParsedRules;
}

/** The same, and the root of the project. */
export interface NotesOfProject extends SessionNotesParts {
  readonly root: string;
}

/** What stands in the system prompt of instructions and memory, and a sentence on what does not. */
interface SessionNotes {
  readonly files: readonly string[];
  readonly text: string;
  readonly problems: readonly string[];
}

/** Reads the instructions that were found and the project's memory, where there is one. */
export async function readSessionNotes(given: NotesOfProject, { found, memoryFolder }: { readonly found: readonly InstructionFile[]; readonly memoryFolder: string | undefined }): Promise<SessionNotes> {
  const { files, notices } = await readFiles(given, found);
  const memory = memoryFolder === undefined ? { text: '', problems: [] } : await readNotes(given.places.host.files, memoryFolder, { of: 'this project', scope: 'project' });
  return {
    files: files.map((file) => file.path),
    text: [instructionsText(files, { trusted: isTrusted(given) }), memory.text].filter(Boolean).join('\n\n'),
    problems: [...notices, ...memory.problems],
  };
}

async function readFiles(given: NotesOfProject, found: readonly InstructionFile[]): Promise<Instructions> {
  const { host, home } = given.places;
  return readInstructions(found, { files: host.files, home, mayLieAt: mayLieAt(given), refusal: (file, real) => refusal(given, file, real) });
}

/** As for settings: the folder itself is one of the trusted ones. */
function isTrusted({ places: { host: { tree } }, root, settings: { trusted, values } }: NotesOfProject): boolean {
  return trusted || values.trustedFolders.some((folder) => realOrSame(tree, folder) === realOrSame(tree, root));
}

/**
 * A person's own files lie anywhere at home, those of a trusted folder in one of these, those of a project in it; only a
 * trusted project's in another trusted folder, too. In the data folder, where keys are, there is none but its AGENTS.md.
 */
function mayLieAt(given: NotesOfProject): InstructionReader['mayLieAt'] {
  const { places: { host: { tree }, home, dataFolder }, root, settings: { values } } = given;
  const both = (folder: string): readonly string[] => [folder, realOrSame(tree, folder)];
  const [project, data, trusted] = [both(root), both(dataFolder), values.trustedFolders.flatMap(both)];
  const allowed = { person: [...both(home), ...trusted], trusted, project: isTrusted(given) ? [...project, ...trusted] : project };
  return (file, of) => {
    if (data.some((folder) => isInside(folder, file) && file !== path.join(folder, 'AGENTS.md'))) return false;
    return allowed[of].some((folder) => isInside(folder, file));
  };
}

/** A rule that keeps `Read` from a file, or lets it ask, keeps it out of the prompt, too. */
async function refusal({ workspace, rules }: NotesOfProject, file: string, real: string): Promise<string | undefined> {
  const { deny, ask } = rules();
  if (deny.length + ask.length === 0) return undefined;
  const place = placeOf(file, { locate: [{ path: file, real }], workspace: workspace() });
  const met = [...deny, ...ask].find((rule) => meets(rule, { tool: 'Read', need: { action: 'read', path: file }, place, workspace: workspace() }) !== 'no');
  return met && `the rule ${met.text} is about it`;
}
