import { editSetting } from '../../config/edit-settings.ts';
import { getSetting, listSettings } from '../../config/list-settings.ts';
import { localFiles } from '../../host/local-files.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { commandSettings } from '../load-settings.ts';
import { forReader, jsonFor, oneLine, palette, printJson, write } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

/** `skillmint config get`. */
export async function getConfig(key: string, flags: Json): Promise<void> {
  const { loaded } = await commandSettings();
  const value = getSetting(loaded, key);
  if (flags.json) return printJson({ key, value: value ?? null });
  if (value === undefined) throw new SkillmintError('not_found', `The setting ${key} is not set. See: skillmint config list`);
  await write(process.stdout, `${typeof value === 'string' ? forReader(process.stdout, value) : jsonFor(process.stdout, value)}\n`);
}

/** `skillmint config set`. */
export async function setConfig(key: string, value: string, flags: Json): Promise<void> {
  const { loaded } = await commandSettings();
  await editSetting(localFiles(), { file: loaded.userFile, key, value });
  if (flags.json) await printJson({ file: loaded.userFile, key });
  else await write(process.stderr, `${oneLine(loaded.userFile)} now has ${oneLine(key)}.\n`);
}

/** `skillmint config list`. */
export async function listConfig(flags: Json): Promise<void> {
  const { loaded } = await commandSettings();
  const settings = listSettings(loaded);
  if (flags.json) return printJson({ settings, notices: loaded.notices });
  const paint = palette(process.stdout);
  for (const row of settings) await write(process.stdout, `${paint.bold(oneLine(row.key))} = ${oneLine(JSON.stringify(row.value))}  ${paint.dim(row.layer)}\n`);
  for (const notice of loaded.notices) await write(process.stderr, `skillmint: ${oneLine(notice)}\n`);
}

/** `skillmint config path`. */
export async function configPaths(flags: Json): Promise<void> {
  const { loaded, data } = await commandSettings();
  const project = loaded.project === undefined ? {} : { project: loaded.project, trusted: loaded.trusted };
  if (flags.json) return printJson({ user: loaded.userFile, data, ...project });
  const of = (file: string): string => forReader(process.stdout, file);
  await write(process.stdout, `${of(loaded.userFile)}\n${loaded.project === undefined ? '' : `${of(loaded.project)} (${loaded.trusted ? 'trusted' : 'not trusted: it can only narrow rights'})\n`}`);
}
