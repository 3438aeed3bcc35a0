import { endpoint, NONE } from './endpoint.ts';
import { flag, list, number, object, optional, text } from './schema.ts';

const WHOSE = { cwd: optional(text({ max: 4_096, description: 'Folder of the project; the first of serve.roots when left out.' })), skill: optional(text({ min: 1, description: 'Id of the skill whose memory is meant; that of the project when left out.' })) };
const ENTRY_CHARS = 65_536;

/** What is remembered of a project or by a skill. */
export const MEMORY_ENDPOINTS = {
  listMemory: endpoint({ method: 'GET', path: '/api/memory', summary: 'Lists the entries of a memory.', query: object(WHOSE), body: NONE, answer: object({ entries: list(object({ key: text(), size: number('Bytes.'), changed: text({ description: 'ISO 8601, UTC.' }) })) }) }),
  readMemory: endpoint({ method: 'GET', path: '/api/memory/:key', summary: 'Gives an entry.', query: object(WHOSE), body: NONE, answer: object({ key: text(), text: text({ max: ENTRY_CHARS }), cut: flag('It is longer than an entry may be.') }) }),
  writeMemory: endpoint({ method: 'PUT', path: '/api/memory/:key', summary: 'Writes an entry as a whole.', query: object(WHOSE), body: object({ text: text({ max: ENTRY_CHARS }) }), answer: object({ key: text(), size: number('Bytes.') }) }),
  removeMemory: endpoint({ method: 'DELETE', path: '/api/memory/:key', summary: 'Removes an entry.', query: object(WHOSE), body: NONE, answer: object({ removed: text() }) }),
};
