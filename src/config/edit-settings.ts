import type { HostFiles } from '../host/host.ts';
import { SkillmintError, messageOf, systemCode } from '../protocol/errors.ts';
import { isObject, type Json } from '../protocol/json.ts';
import { findProblem, isSettingsFile, type SettingProblem } from './check-settings.ts';
import { decodeSettings, parseSettings } from './parse-settings.ts';
import { sandboxEdit } from './sandbox-form.ts';
import { parseText } from './setting-text.ts';
import { mayHoldSecrets, parseKey, showPath } from './settings-keys.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const EMPTY = '{}\n';

/** What to change in which file. */
export interface SettingEdit {
  readonly file: string;
  /** As `parseKey` reads it. */
  readonly key: string;
  /** Undefined removes the setting. For a setting that is no text, a text is read as on the command line: `5`, `true`, `a,b`, JSON. */
  readonly value: Json | undefined;
}

async function textOf(files: Pick<HostFiles, 'read'>, file: string): Promise<string> {
  try {
    return decodeSettings(file, await files.read(file));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return EMPTY;
    if (error instanceof SkillmintError) throw error;
    throw new SkillmintError('config_unreadable', `cannot read the settings file ${file}: ${messageOf(error)}; nothing was changed`, { cause: error });
  }
}

/** The file's own indentation, so that an edit looks like the rest. */
function formatOf(text: string): { readonly insertSpaces: boolean; readonly tabSize: number; readonly eol: string } {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function isThere(value: unknown, path: readonly string[]): boolean {
  return path.reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), value) !== undefined;
}

/** The first rule below the setting that cannot be used: it is refused before it is stored. */
async function findRuleProblem(value: unknown, path: readonly string[]): Promise<SettingProblem | undefined> {
  if (path[0] !== 'permissions' || !isSettingsFile(value)) return undefined;
  const { ruleProblems } = await import('./rule-problems.ts');
  const lists = (['allow', 'ask', 'deny'] as const).filter((list) => path[1] === undefined || path[1] === list);
  const [problem] = ruleProblems(value.permissions, lists);
  return problem && { path: problem.path, says: `${showPath(problem.path)}: ${problem.says}` };
}

/**
 * Changes one setting; comments and format of the file stay, and it is written as a whole or not at all, readable for its
 * owner only. Rejects with `usage` (no such setting), `config_invalid` (the file is broken, or the value does not fit) or
 * `config_unreadable`; nothing is written then.
 */
export async function editSetting(files: Pick<HostFiles, 'read' | 'write'>, { file, key, value: given }: SettingEdit): Promise<void> {
  const meant = parseKey(key);
  const value = typeof given === 'string' ? parseText(meant, given) : given;
  const original = await textOf(files, file);
  const { path, first } = sandboxEdit(await parseSettings(file, original), meant);
  const { applyEdits, modify, parse } = await import('jsonc-parser');
  // What is not there need not be taken out.
  const put = (text: string, where: readonly string[], what: unknown): string => (what === undefined && !isThere(parse(text, [], { allowTrailingComma: true }), where) ? text : applyEdits(text, modify(text, [...where], what, { formattingOptions: formatOf(original) })));
  const edited = put(first ? put(original, first.path, first.value) : original, path, value);
  const after: unknown = parse(edited, [], { allowTrailingComma: true });
  const problem = findProblem(after) ?? (await findRuleProblem(after, path));
  if (problem !== undefined) {
    const target = mayHoldSecrets(path) || value === undefined ? '' : ` to ${JSON.stringify(value)}`;
    throw new SkillmintError('config_invalid', `cannot set ${showPath(path)}${target}: ${problem.says}; nothing was changed`);
  }
  await files.write(file, edited, { mode: PRIVATE_FILE, folderMode: PRIVATE_FOLDER });
}
