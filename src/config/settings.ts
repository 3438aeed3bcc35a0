import type { McpServerForm } from '../protocol/mcp.ts';
import type { PermissionMode } from '../protocol/permission.ts';
import type { Price } from '../protocol/usage.ts';

/** A secret as it stands, or the environment variable that holds it. */
export type SecretSetting = string | { readonly env: string };

/** One entry of `providers`. */
export interface ProviderEntry {
  readonly api?: 'anthropic' | 'openai-chat' | 'openai-responses';
  readonly baseUrl?: string;
  readonly apiKey?: SecretSetting;
  readonly headers?: Readonly<Record<string, string>>;
  readonly models?: readonly {
    readonly id: string;
    /** Tokens. */
    readonly contextWindow?: number;
    /** Tokens. */
    readonly maxOutput?: number;
    readonly price?: Price;
    readonly images?: boolean;
  }[];
}

/** `permissions` of a settings file. */
export interface PermissionSettings {
  readonly mode?: PermissionMode | 'bypassPermissions';
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** `skills` of a settings file. */
export interface SkillSettings {
  /** By skill id. */
  readonly enabled?: Readonly<Record<string, boolean>>;
  readonly paths?: readonly string[];
  /** `user`, `project` or a folder. */
  readonly createIn?: string;
  readonly allowedTools?: 'grant' | 'restrict';
  readonly npm?: boolean;
  readonly embeddings?: { readonly baseUrl: string; readonly model: string; readonly apiKey?: SecretSetting };
  readonly generateTags?: boolean;
  /** Turns are offered skills about skills, too. */
  readonly offerMeta?: boolean;
  /** File name extension without its dot → program and arguments that run such scripts. */
  readonly interpreters?: Readonly<Record<string, readonly string[]>>;
}

/** `search` of a settings file. */
export interface SearchSettings {
  readonly engine: 'duckduckgo' | 'brave' | 'google' | 'bing' | 'searxng';
  readonly apiKey?: SecretSetting;
  /** Of google. */
  readonly engineId?: string;
  /** Of searxng. */
  readonly baseUrl?: string;
}

/** `browser` of a settings file. */
export interface BrowserSettings {
  readonly headless?: boolean;
  /** A Chromium, Chrome or Edge. */
  readonly executable?: string;
  /** Minutes without use after which it is ended. */
  readonly idleMinutes?: number;
}

/** Hooks of one event for what the matcher fits. */
export interface HookGroup {
  readonly matcher?: string;
  /** Fields that are not named here are those of types that are read and reported as not supported. */
  readonly hooks: readonly { readonly type: string; readonly command?: string; readonly args?: readonly string[]; readonly timeout?: number; readonly if?: string; readonly once?: boolean; readonly shell?: 'bash' | 'powershell'; readonly [field: string]: unknown }[];
}

/** What happens without a sandbox; `on` is another name of `required`. */
export type SandboxMode = 'required' | 'ask' | 'off' | 'on';

/** What one settings file, or any other layer, may say. `SETTINGS_SCHEMA` describes each key. */
export interface SettingsFile {
  readonly $schema?: string;
  readonly model?: string;
  readonly smallModel?: string;
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  readonly providers?: Readonly<Record<string, ProviderEntry>>;
  readonly permissions?: PermissionSettings;
  readonly sandbox?: SandboxMode | { readonly mode?: SandboxMode; readonly limits?: { readonly memoryMb?: number; readonly processes?: number } };
  readonly network?: { readonly allow?: readonly string[] };
  readonly search?: SearchSettings;
  readonly skills?: SkillSettings;
  /** Event → hooks, in the form of Claude Code; read by `parseHooks`. */
  readonly hooks?: Readonly<Record<string, readonly HookGroup[]>>;
  /** Name → server of the Model Context Protocol. */
  readonly mcpServers?: Readonly<Record<string, McpServerForm>>;
  readonly systemPrompt?: string;
  readonly userPrompt?: string;
  /** Whether AGENTS.md and CLAUDE.md are part of the prompt. */
  readonly instructions?: boolean;
  readonly memory?: boolean;
  /** USD. */
  readonly maxCost?: number;
  readonly maxTurns?: number;
  readonly agents?: { readonly maxDepth?: number; readonly parallel?: number };
  /** `judge`: `PROVIDER/MODEL` that judges results when a skill is evaluated. `keep`: evaluations, and enhancements, that are kept; 0 for all. */
  readonly evaluate?: { readonly judge?: string; readonly keep?: number };
  readonly browser?: BrowserSettings;
  readonly serve?: { readonly roots?: readonly string[] };
  readonly addDirs?: readonly string[];
  readonly trustedFolders?: readonly string[];
}

/**
 * The settings that hold, all layers applied: synonyms resolved, folders absolute, lists complete. What stays undefined
 * depends on the face or the machine: without `sandbox` a desktop asks and everything else requires one, without
 * `browser.headless` a display decides, without `model` the first provider with a key.
 */
export interface Settings extends Omit<SettingsFile, '$schema' | 'sandbox'> {
  readonly sandbox?: 'required' | 'ask' | 'off';
  /** MiB, and processes with threads, of one command in the sandbox. */
  readonly sandboxLimits: { readonly memoryMb: number; readonly processes: number };
  readonly providers: Readonly<Record<string, ProviderEntry>>;
  readonly permissions: { readonly mode: PermissionMode; readonly allow: readonly string[]; readonly ask: readonly string[]; readonly deny: readonly string[] };
  readonly network: { readonly allow: readonly string[] };
  readonly skills: SkillSettings & { readonly enabled: Readonly<Record<string, boolean>>; readonly paths: readonly string[]; readonly createIn: string; readonly allowedTools: 'grant' | 'restrict'; readonly npm: boolean; readonly generateTags: boolean; readonly offerMeta: boolean; readonly interpreters: Readonly<Record<string, readonly string[]>> };
  readonly hooks: Readonly<Record<string, readonly HookGroup[]>>;
  readonly mcpServers: Readonly<Record<string, McpServerForm>>;
  readonly instructions: boolean;
  readonly memory: boolean;
  readonly maxTurns: number;
  /** How deep sub-agents may start sub-agents, and how many of a session run at once. */
  readonly agents: { readonly maxDepth: number; readonly parallel: number };
  readonly browser: BrowserSettings;
  readonly serve: { readonly roots: readonly string[] };
  readonly addDirs: readonly string[];
  readonly trustedFolders: readonly string[];
}

/** What holds when no layer says anything. */
export const DEFAULT_SETTINGS: Settings = {
  providers: {},
  permissions: { mode: 'default', allow: [], ask: [], deny: [] },
  sandboxLimits: { memoryMb: 1024, processes: 256 },
  network: { allow: [] },
  skills: { enabled: {}, paths: [], createIn: 'user', allowedTools: 'grant', npm: false, generateTags: false, offerMeta: false, interpreters: {} },
  hooks: {},
  mcpServers: {},
  instructions: true,
  memory: true,
  maxTurns: 100,
  agents: { maxDepth: 1, parallel: 4 },
  browser: {},
  serve: { roots: [] },
  addDirs: [],
  trustedFolders: [],
};
