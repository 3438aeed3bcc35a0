import path from 'node:path';
import { type ReadTree } from '../host/host.ts';
import { SkillmintError, messageOf, systemCode } from '../protocol/errors.ts';
import { decodeSettings, parseSettings } from './parse-settings.ts';
import { projectSettingsFile } from './paths.ts';
import type { SettingsFile } from './settings.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission; make it readable for this user',
  EPERM: 'no permission; make it readable for this user',
  EISDIR: 'it is a folder; move it away',
  ELOOP: 'it is a loop of links; remove the link',
};

/** The settings in a file, or undefined when there is none. Rejects with `config_unreadable` or `config_invalid`. */
export async function readSettings(tree: ReadTree, file: string): Promise<SettingsFile | undefined> {
  const bytes = readBytes(tree, file);
  return bytes && parseSettings(file, decodeSettings(file, bytes));
}

/** The bytes of a settings file, or undefined when there is none. Throws `config_unreadable`. */
export function readBytes(tree: ReadTree, file: string): Uint8Array | undefined {
  try {
    return tree.read(file);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SkillmintError('config_unreadable', `cannot read the settings file ${file}: ${REASONS[code] ?? messageOf(error)}`, { cause: error });
  }
}

/** True when there is something at the path, be it readable or not. */
export function exists(tree: ReadTree, file: string): boolean {
  try {
    tree.stat(file);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(systemCode(error));
  }
}

/**
 * The nearest folder from `cwd` upward that has project settings, searched up to the root of the repository;
 * outside of a repository `cwd` alone. The person's own settings file is never one of a project.
 */
export function findProject(tree: ReadTree, cwd: string, userFile: string): string | undefined {
  return findUpward(tree, cwd, (folder) => projectSettingsFile(folder) !== userFile && exists(tree, projectSettingsFile(folder)));
}

/** The nearest folder from `cwd` upward that fits, searched up to the root of the repository; outside of a repository `cwd` alone. */
export function findUpward(tree: ReadTree, cwd: string, fits: (folder: string) => boolean): string | undefined {
  const candidates: string[] = [];
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    candidates.push(folder);
    if (exists(tree, path.join(folder, '.git'))) break;
    if (path.dirname(folder) === folder) {
      candidates.splice(1);
      break;
    }
  }
  return candidates.find(fits);
}

/** The real path, or the path itself where there is nothing yet. */
export function realOrSame(tree: ReadTree, folder: string): string {
  try {
    return tree.realPath(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error))) return folder;
    throw error;
  }
}
