import type { ParseError } from 'jsonc-parser';
import { SkillmintError, messageOf } from '../protocol/errors.ts';
import { findProblem, isSettingsFile } from './check-settings.ts';
import type { SettingsFile } from './settings.ts';
import { showPath, type SettingPath } from './settings-keys.ts';

const NOT_OVERWRITTEN = 'correct the file, nothing was changed';

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function invalid(file: string, line: number, says: string, cause?: unknown): SkillmintError {
  return new SkillmintError('config_invalid', `${file}:${line}: ${says}; ${NOT_OVERWRITTEN}`, cause === undefined ? {} : { cause });
}

/** What a parser's finding means for the person who wrote the file. */
const FINDINGS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'is neither a value nor a key in double quotes',
  InvalidNumberFormat: 'is not a number',
  PropertyNameExpected: 'stands where a key in double quotes is expected',
  ValueExpected: 'stands where a value is expected',
  ColonExpected: 'stands where a colon is expected',
  CommaExpected: 'stands where a comma is expected',
  CloseBraceExpected: 'stands where a closing } is expected',
  CloseBracketExpected: 'stands where a closing ] is expected',
  EndOfFileExpected: 'stands after the end of the settings',
  UnexpectedEndOfComment: 'begins a comment that does not end',
  UnexpectedEndOfString: 'begins a text that has no closing quote',
  InvalidCharacter: 'holds a character that must be escaped',
};

async function syntaxError(file: string, text: string, error: ParseError): Promise<SkillmintError> {
  const { getLocation, printParseErrorCode } = await import('jsonc-parser');
  const token = text.slice(error.offset, error.offset + Math.max(error.length, 1)).trim().slice(0, 40);
  const path = getLocation(text, error.offset).path.filter((step) => step !== '');
  const where = path.length > 0 ? ` (in ${showPath(path)})` : '';
  const meaning = FINDINGS[printParseErrorCode(error.error)] ?? 'is not valid here';
  const says = token === '' ? 'the file ends too early, a closing } or ] is missing' : `${JSON.stringify(token)} ${meaning}`;
  return invalid(file, lineOf(text, error.offset), `not valid JSON: ${says}${where}`);
}

/** Settings may have comments and commas at the end of lists; plain JSON, the usual case, does without this parser. */
async function parseWithComments(file: string, text: string): Promise<unknown> {
  const { parse } = await import('jsonc-parser');
  if (text.trim() === '') throw invalid(file, 1, 'the file is empty, at least {} is expected');
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors[0] !== undefined) throw await syntaxError(file, text, errors[0]);
  return value;
}

/** Offset of a setting in the text: of its key where the key is what matters. */
async function offsetOf(text: string, path: SettingPath): Promise<number> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...path]);
  const key = node?.parent?.type === 'property' ? node.parent : node;
  return key?.offset ?? 0;
}

/** Line of a setting in the text of its file, from 1. */
export async function placeInText(text: string, path: SettingPath): Promise<number> {
  return lineOf(text, await offsetOf(text, path));
}

function parsePlain(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The text of a settings file; throws `config_invalid` when the bytes are not UTF-8. */
export function decodeSettings(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SkillmintError('config_invalid', `${file}:1: the file is not UTF-8 text (${messageOf(error)}); save it as UTF-8, nothing was changed`, { cause: error });
  }
}

/** The value in a file's text, which may have comments. Rejects with `config_invalid`, whose message names file, line and key. */
export async function parseValue(file: string, text: string): Promise<unknown> {
  const plain = parsePlain(text);
  return plain === undefined ? parseWithComments(file, text) : plain.value;
}

/** The settings in a file's text. Rejects with `config_invalid`, whose message names file, line and key. */
export async function parseSettings(file: string, text: string): Promise<SettingsFile> {
  const value = await parseValue(file, text);
  if (isSettingsFile(value)) return value;
  const problem = findProblem(value);
  throw invalid(file, await placeInText(text, problem?.path ?? []), problem?.says ?? 'it does not fit the schema of the settings');
}
