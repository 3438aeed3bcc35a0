import path from 'node:path';
import type { ReadTree } from '../host/host.ts';
import { environmentSettings } from './environment.ts';
import { applyLayers, withAbsoluteFolders, type Layer, type LayerName } from './layers.ts';
import { narrow } from './narrow.ts';
import { projectSettingsFile, userSettingsFile } from './paths.ts';
import { canBeChangedByAll, refuseOpenSettings } from './private-settings.ts';
import { findProject, readSettings, realOrSame } from './read-settings.ts';
import type { Settings, SettingsFile } from './settings.ts';

/** Everything that the settings depend on. Folders are absolute. */
export interface SettingsSources {
  readonly tree: ReadTree;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** See `dataFolder`. */
  readonly data: string;
  /** The session's folder. */
  readonly cwd: string;
  /** What a server gives to all of its users, beneath their own settings; already checked. */
  readonly server?: SettingsFile;
  /** What the command line says, already checked. */
  readonly flags?: SettingsFile;
  /** The person has just said that the project's folder is to be trusted. */
  readonly trustProject?: boolean;
}

/** The settings that hold, and how they came about. Deeply frozen. */
export interface LoadedSettings {
  readonly values: Settings;
  /** Weakest first; a layer that says nothing is left out. */
  readonly layers: readonly Layer[];
  /** Sentences for the person: what did not count, and why. */
  readonly notices: readonly string[];
  /** The person's own file, which may not exist yet. */
  readonly userFile: string;
  /** The nearest folder with project settings. */
  readonly project?: string;
  /** Whether `project`, or else the session's folder, is trusted. */
  readonly trusted: boolean;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze<unknown>(inner);
  }
  return value;
}

/** True when the folder is one of the trusted ones or lies in one; decided on real paths. */
export function isTrustedFolder(tree: ReadTree, folder: string, trusted: readonly string[]): boolean {
  const real = realOrSame(tree, folder);
  return trusted.some((root) => {
    const way = path.relative(realOrSame(tree, root), real);
    return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
  });
}

/** True when the folder itself is one of the trusted ones. One below them is none by that: commands can make settings there. */
function isListed(tree: ReadTree, folder: string, trusted: readonly string[]): boolean {
  const real = realOrSame(tree, folder);
  return trusted.some((root) => realOrSame(tree, root) === real);
}

/** What of a project's file counts, and the notice about the rest. */
function projectLayer(file: string, wanted: SettingsFile, trusted: boolean, below: readonly Layer[]): { readonly settings: SettingsFile; readonly notices: readonly string[] } {
  if (trusted) {
    const { trustedFolders, ...settings } = wanted;
    return { settings, notices: trustedFolders === undefined ? [] : [`${file}: trustedFolders does not count in a project; set it in your own settings`] };
  }
  const { settings, refused } = narrow(wanted, applyLayers(below));
  if (refused.length === 0) return { settings, notices: [] };
  return { settings, notices: [`${file}: this folder is not trusted, so ${refused.join(', ')} ${refused.length === 1 ? 'does' : 'do'} not count; add it to trustedFolders in your own settings to change that`] };
}

/** Reads all layers. Rejects with `config_invalid` or `config_unreadable`, whose messages name file, line and key. */
export async function loadSettings(sources: SettingsSources): Promise<LoadedSettings> {
  const { tree, cwd, home, data, server = {}, flags = {} } = sources;
  const layers: Layer[] = [];
  const notices: string[] = [];
  const add = (name: LayerName, folder: string, settings: SettingsFile, file?: string): void => {
    if (Object.keys(settings).length > 0) layers.push({ name, folder, settings: withAbsoluteFolders(settings, folder, home), ...(file !== undefined && { file }) });
  };

  add('server', data, server);
  const userFile = userSettingsFile(data);
  const own = await readSettings(tree, userFile);
  if (own !== undefined) refuseOpenSettings(tree, userFile, own);
  add('user', data, own ?? {}, userFile);

  const project = findProject(tree, cwd, userFile);
  const trusted = sources.trustProject === true || isListed(tree, project ?? cwd, applyLayers(layers).trustedFolders);
  if (project !== undefined) {
    const file = projectSettingsFile(project);
    const wanted = (await readSettings(tree, file)) ?? {};
    const linked = trusted && realOrSame(tree, file) !== projectSettingsFile(realOrSame(tree, project));
    if (linked) notices.push(`${file}: it is reached through a symlink, and commands can change what that leads to, so it counts as that of a folder that is not trusted; put the file itself there`);
    const open = trusted && canBeChangedByAll(tree, file);
    if (open) notices.push(`${file}: every user of this machine can change it, so it counts as that of a folder that is not trusted; to change that: chmod o-w ${file} ${path.dirname(file)}`);
    const counted = projectLayer(file, wanted, trusted && !open && !linked, layers);
    notices.push(...counted.notices);
    add('project', project, counted.settings, file);
  }

  const environment = environmentSettings(sources.env);
  notices.push(...environment.notices);
  add('environment', cwd, environment.settings);
  add('flags', cwd, flags);
  return freeze({ values: applyLayers(layers), layers, notices, userFile, trusted, ...(project !== undefined && { project }) });
}
