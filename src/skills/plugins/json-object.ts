import type { ReadTree } from '../../host/host.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import { isObject, parseJson } from '../../protocol/json.ts';

/** The JSON object in a file of a stranger, or why there is none; `why` follows the name of the file. */
export type JsonFile = { readonly kind: 'none' } | { readonly kind: 'object'; readonly value: Record<string, unknown> } | { readonly kind: 'broken'; readonly why: string; readonly cause?: unknown };

/** Reads the JSON object in a file of at most so many bytes. Never throws for what lies on the disk. */
export function readJsonObject(tree: ReadTree, file: string, mostBytes: number): JsonFile {
  try {
    const { size } = tree.stat(file);
    if (size > mostBytes) return { kind: 'broken', why: `has ${size} bytes; ${mostBytes} are the limit` };
    const value = parseJson(Buffer.from(tree.read(file)).toString().replace(/^\ufeff/, ''));
    if (value === undefined) return { kind: 'broken', why: 'is not valid JSON' };
    return isObject(value) ? { kind: 'object', value } : { kind: 'broken', why: 'holds no JSON object' };
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(systemCode(error)) ? { kind: 'none' } : { kind: 'broken', why: `cannot be read: ${messageOf(error)}`, cause: error };
  }
}
