import path from 'node:path';
import type { PermissionMode } from '../protocol/permission.ts';
import { DEFAULT_SETTINGS, type HookGroup, type SandboxMode, type Settings, type SettingsFile } from './settings.ts';

/** Where a value came from, weakest first. */
export type LayerName = 'default' | 'server' | 'user' | 'project' | 'environment' | 'flags';

/** What one source says, folders already absolute. */
export interface Layer {
  readonly name: LayerName;
  /** The file it was read from. */
  readonly file?: string;
  /** The folder from which relative paths, and rules that begin with `/`, are meant. */
  readonly folder: string;
  readonly settings: SettingsFile;
}

/** An absolute folder for `~/x`, `x` and `/x`. */
export function absoluteFolder(text: string, base: string, home: string): string {
  if (text === '~') return home;
  return text.startsWith('~/') ? path.join(home, text.slice(2)) : path.resolve(base, text);
}

/** Makes the folders in a layer absolute. */
export function withAbsoluteFolders(settings: SettingsFile, base: string, home: string): SettingsFile {
  const one = (folder: string): string => absoluteFolder(folder, base, home);
  const { skills, serve, addDirs, trustedFolders } = settings;
  const createIn = skills?.createIn;
  return {
    ...settings,
    ...(skills && {
      skills: {
        ...skills,
        ...(skills.paths && { paths: skills.paths.map(one) }),
        ...(createIn !== undefined && { createIn: createIn === 'user' || createIn === 'project' ? createIn : one(createIn) }),
      },
    }),
    ...(serve?.roots && { serve: { roots: serve.roots.map(one) } }),
    ...(addDirs && { addDirs: addDirs.map(one) }),
    ...(trustedFolders && { trustedFolders: trustedFolders.map(one) }),
  };
}

/** The mode under its own name. */
export function plainMode(mode: PermissionMode | 'bypassPermissions'): PermissionMode {
  return mode === 'bypassPermissions' ? 'unrestricted' : mode;
}

/** What a setting says of a missing sandbox. */
export function sandboxMode(sandbox: SettingsFile['sandbox']): SandboxMode | undefined {
  return typeof sandbox === 'object' ? sandbox.mode : sandbox;
}

/** The same under its own name. */
export function plainSandbox(mode: SandboxMode): Exclude<SandboxMode, 'on'> {
  return mode === 'on' ? 'required' : mode;
}

function both(a: readonly string[], b: readonly string[] | undefined): readonly string[] {
  return b === undefined ? a : [...new Set([...a, ...b])];
}

type HookLists = Settings['hooks'];

function hooksOfBoth(below: HookLists, layer: HookLists): HookLists {
  const joined = Object.entries(layer).map(([event, hooks]): [string, readonly HookGroup[]] => [event, [...(below[event] ?? []), ...hooks]]);
  return { ...below, ...Object.fromEntries(joined) };
}

/** Applies one layer: single values and whole providers are replaced, lists are joined. */
function apply(below: Settings, layer: SettingsFile): Settings {
  const { $schema: _address, sandbox, permissions, network, skills, hooks, mcpServers, agents, browser, serve, addDirs, trustedFolders, ...plain } = layer;
  const mode = sandboxMode(sandbox);
  return {
    ...below,
    ...plain,
    ...(mode !== undefined && { sandbox: plainSandbox(mode) }),
    sandboxLimits: { ...below.sandboxLimits, ...(typeof sandbox === 'object' ? sandbox.limits : {}) },
    providers: { ...below.providers, ...plain.providers },
    permissions: {
      mode: plainMode(permissions?.mode ?? below.permissions.mode),
      allow: both(below.permissions.allow, permissions?.allow),
      ask: both(below.permissions.ask, permissions?.ask),
      deny: both(below.permissions.deny, permissions?.deny),
    },
    network: { allow: both(below.network.allow, network?.allow) },
    skills: { ...below.skills, ...skills, enabled: { ...below.skills.enabled, ...skills?.enabled }, interpreters: { ...below.skills.interpreters, ...skills?.interpreters }, paths: both(below.skills.paths, skills?.paths) },
    hooks: hooksOfBoth(below.hooks, hooks ?? {}),
    mcpServers: { ...below.mcpServers, ...mcpServers },
    agents: { ...below.agents, ...agents },
    browser: { ...below.browser, ...browser },
    serve: { roots: both(below.serve.roots, serve?.roots) },
    addDirs: both(below.addDirs, addDirs),
    trustedFolders: both(below.trustedFolders, trustedFolders),
  };
}

/** All layers on top of the defaults, weakest first. */
export function applyLayers(layers: readonly Layer[]): Settings {
  return layers.reduce((settings, layer) => apply(settings, layer.settings), DEFAULT_SETTINGS);
}
