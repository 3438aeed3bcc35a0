import path from 'node:path';
import { absoluteFolder } from './layers.ts';

/** Name of the settings file in the data folder and below a project's `.skillmint`. */
export const SETTINGS_FILE = 'config.json';
/** Folder of a project that holds its settings and skills. */
export const PROJECT_FOLDER = '.skillmint';

/** The data folder: `SKILLMINT_HOME`, else `.skillmint` in the home folder. Absolute. */
export function dataFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const set = env['SKILLMINT_HOME'];
  return set === undefined || set === '' ? path.join(home, PROJECT_FOLDER) : absoluteFolder(set, process.cwd(), home);
}

/** The person's own settings file. */
export function userSettingsFile(data: string): string {
  return path.join(data, SETTINGS_FILE);
}

/** The settings file of a project folder. */
export function projectSettingsFile(project: string): string {
  return path.join(project, PROJECT_FOLDER, SETTINGS_FILE);
}
