import { loadSettings, type LoadedSettings } from '../config/load-settings.ts';
import { dataFolder } from '../config/paths.ts';
import { homeFolder } from '../host/home-folder.ts';
import { localTree } from '../host/local-tree.ts';

/** Folders and settings of a command that needs no runtime. */
export interface CommandSettings {
  readonly home: string;
  readonly data: string;
  readonly loaded: LoadedSettings;
}

/** Reads the settings that hold in a folder, the current one when none is given. */
export async function commandSettings(cwd = process.cwd()): Promise<CommandSettings> {
  const home = homeFolder(process.env);
  const data = dataFolder(process.env, home);
  return { home, data, loaded: await loadSettings({ tree: localTree(), env: process.env, home, data, cwd }) };
}
