import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { isObject } from '../../protocol/json.ts';
import { readJsonObject, type JsonFile } from './json-object.ts';

/** What a plugin says of itself. A path is as it is written there. */
export interface PluginManifest {
  /** `claude`: `.claude-plugin/plugin.json`; `agent`: `plugin.json` of Agent Plugins 1.x; `none`: there is no manifest, which is allowed. */
  readonly form: 'claude' | 'agent' | 'none';
  /** Where it lies. */
  readonly file: string;
  /** Undefined only without a manifest. */
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Further places with skills. */
  readonly skills: readonly string[];
  /** Places with commands instead of the usual one. */
  readonly commands: readonly string[] | undefined;
  /** It has a field for hooks. */
  readonly namesHooks: boolean;
  /** Names of fields that mean nothing here. */
  readonly unknown: readonly string[];
}

/** A manifest, or why its plugin cannot be used. */
export type ManifestResult = { readonly kind: 'manifest'; readonly manifest: PluginManifest } | { readonly kind: 'broken'; readonly path: string; readonly message: string };

type Check = (value: unknown) => boolean;

const MAX_BYTES = 1024 * 1024;
const AGENT_SCHEMA = 'https://agent-plugins.org/schemas/1.';
const AGENT_NAME = /^[a-z0-9][a-z0-9.-]{0,63}$/;

const text: Check = (value) => typeof value === 'string';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const flag: Check = (value) => typeof value === 'boolean';
const some = (...checks: readonly Check[]): Check => (value) => checks.some((check) => check(value));
const anything: Check = () => true;
const paths = some(text, texts);
const described = some(text, isObject);

/** Fields of the Claude layout. A field of another type ends in an error there, too. */
const CLAUDE: Readonly<Record<string, Check>> = {
  $schema: text, name: text, displayName: text, version: text, description: text, author: described, homepage: text, repository: described, license: text, keywords: texts,
  metadata: anything, defaultEnabled: flag, skills: paths, commands: some(paths, isObject), agents: some(paths, isObject), workflows: some(paths, isObject), outputStyles: paths,
  hooks: some(paths, isObject, Array.isArray), mcpServers: some(paths, isObject, Array.isArray), lspServers: some(paths, isObject, Array.isArray),
  experimental: anything, userConfig: isObject, channels: Array.isArray, dependencies: Array.isArray,
};
/** Fields of Agent Plugins 1.x, which is a closed set. */
const AGENT: Readonly<Record<string, Check>> = {
  $schema: text, name: (value) => typeof value === 'string' && AGENT_NAME.test(value), version: text, description: text, author: described, homepage: text, repository: described, license: text,
  keywords: texts, extensions: isObject,
};

/** Reads the manifest of the plugin in a folder. The Claude layout comes first where there are both. Never throws for what lies on the disk. */
export function readPluginManifest(tree: ReadTree, folder: string): ManifestResult {
  const claude = path.join(folder, '.claude-plugin', 'plugin.json');
  const found = readObject(tree, claude);
  if (found.kind === 'broken') return found;
  if (found.kind === 'object') return claudeManifest(claude, found.value);
  const plain = path.join(folder, 'plugin.json');
  const agent = readObject(tree, plain);
  const isAgent = agent.kind === 'object' && String(agent.value['$schema']).startsWith(AGENT_SCHEMA);
  if (agent.kind === 'object' && isAgent) return agentManifest(plain, agent.value);
  // Other programs, too, have files of this name.
  return { kind: 'manifest', manifest: { form: 'none', file: claude, name: undefined, version: undefined, skills: [], commands: undefined, namesHooks: false, unknown: [] } };
}

function claudeManifest(file: string, value: Record<string, unknown>): ManifestResult {
  const { skills, commands } = value;
  return checked(file, value, CLAUDE) ?? found(value, { form: 'claude', file, skills: listOf(skills), commands: commands === undefined ? undefined : isObject(commands) ? sourcesOf(commands) : listOf(commands), namesHooks: value['hooks'] !== undefined, unknown: unknownIn(value, CLAUDE) });
}

function agentManifest(file: string, value: Record<string, unknown>): ManifestResult {
  return checked(file, value, AGENT) ?? found(value, { form: 'agent', file, skills: [], commands: [], namesHooks: false, unknown: unknownIn(value, AGENT) });
}

function found(value: Record<string, unknown>, rest: Omit<PluginManifest, 'name' | 'version'>): ManifestResult {
  const { name, version } = value;
  return { kind: 'manifest', manifest: { ...rest, name: typeof name === 'string' ? name : undefined, version: typeof version === 'string' ? version : undefined } };
}

function checked(file: string, value: Record<string, unknown>, fields: Readonly<Record<string, Check>>): ManifestResult | undefined {
  const wrong = Object.entries(value).find(([key, field]) => Object.hasOwn(fields, key) && fields[key]?.(field) === false);
  if (wrong) return { kind: 'broken', path: file, message: `the field ${JSON.stringify(wrong[0])} has a value that it cannot have; this plugin is left out` };
  if (typeof value['name'] !== 'string' || value['name'].trim() === '') return { kind: 'broken', path: file, message: 'the required field "name" is missing; this plugin is left out' };
  return undefined;
}

function unknownIn(value: Record<string, unknown>, fields: Readonly<Record<string, Check>>): readonly string[] {
  return Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
}

function listOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}

/** Commands can be a map from names to where their text lies. */
function sourcesOf(commands: Record<string, unknown>): readonly string[] {
  return Object.values(commands).flatMap((command) => (isObject(command) ? listOf(command['source']) : []));
}

/** The JSON object in a file, or the plugin is broken. */
function readObject(tree: ReadTree, file: string): Exclude<JsonFile, { readonly kind: 'broken' }> | Extract<ManifestResult, { readonly kind: 'broken' }> {
  const read = readJsonObject(tree, file, MAX_BYTES);
  return read.kind === 'broken' ? { kind: 'broken', path: file, message: `it ${read.why}; this plugin is left out` } : read;
}
