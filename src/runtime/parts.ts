import type { Fetch } from '../egress/http-fetch.ts';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadSettings, type LoadedSettings } from '../config/load-settings.ts';
import { dataFolder } from '../config/paths.ts';
import { homeFolder } from '../host/home-folder.ts';
import type { SettingsFile } from '../config/settings.ts';
import { createModelFetch } from '../egress/model-fetch.ts';
import type { Host } from '../host/host.ts';
import { localHost } from '../host/local-host.ts';
import { currentProcess, mayBeAlive } from '../host/process-identity.ts';
import type { Model } from '../model/model.ts';
import type { EventBus } from '../sessions/event-bus.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { Owner, SessionStore } from '../sessions/store.ts';
import type { TurnQueue } from '../sessions/turn-queue.ts';
import type { IndexingState } from '../skills/index/skill-index.ts';
import { openTrust, type SkillTrust } from '../skills/trust/trust-store.ts';
import type { Tool } from '../tools/define.ts';
import type { SandboxReport } from '../sandbox/probe.ts';
import type { DatabaseOptions } from './database/backend.ts';
import { openBackend } from './database/open-backend.ts';
import type { OwnSessions } from './database/own-backend.ts';
import type { GivenSkill, GivenSkills, SkillSource } from './embed/given-skill.ts';
import { givenSkills } from './embed/given-skills.ts';
import type { OwnFields } from './embed/own-fields.ts';
import { ownTools, type OwnTool } from './embed/own-tool.ts';
import type { RequestHandler } from './embed/request-handler.ts';
import type { OfferedServers } from './mcp/server-list.ts';
import { observedBus } from './observed-bus.ts';
import { packageRoot } from './package-root.ts';
import type { Replica, ReplicaParts } from './replica/replica.ts';
import { sessionFolder, type SessionFolder, type SessionFolderKind } from './session/session-folder.ts';
import { skillViews, type SkillViews } from './skills/skill-views.ts';

/** The parts of one turn share what was read; the next one sees what a person has changed. */
const SETTINGS_MS = 500;

/** Whom a runtime works for, where one server has several users. */
export interface TenantOptions {
  /** Folder of the data of all: as a whole it is hidden from commands and no part of any workspace. */
  readonly allData: string;
  /** Settings beneath the person's own. */
  readonly settings: SettingsFile;
  /** The one folder that the person works in, a real path: sessions of elsewhere do not go on, and nothing that they say opens files beyond the folders of a session, or addresses of the machine and its network. */
  readonly confinedTo?: string;
}

/** How a runtime is made. Everything has a default; tests and embedding programs put their own parts in. */
export interface RuntimeOptions {
  /** Environment to read keys and variables from; the process's own when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Home folder of the person; from the environment when left out. */
  readonly home?: string;
  /** Where settings, sessions and skills of the person lie; see `SKILLMINT_HOME`. */
  readonly dataFolder?: string;
  /** Settings above every file and variable. */
  readonly settings?: SettingsFile;
  /** True when a person sits before this process: a missing sandbox then asks instead of refusing. */
  readonly terminal?: boolean;
  /** Keeps sessions in a temporary file that is removed by `close`. */
  readonly ephemeral?: boolean;
  /** The sandbox is being tried out already; otherwise the first turn tries it out. */
  readonly trial?: Promise<SandboxReport> | undefined;
  /** Asked before a turn runs, once it is stored; see `RuntimeParts.turnPlace`. All run at the same time when left out. */
  readonly turnPlace?: TurnPlace;
  /** Turns of this runtime go on by themselves after a crash or a stop, once another service works; see `Runtime.work`. */
  readonly service?: boolean;
  /** Set where the person is one of several users of a server. */
  readonly tenant?: TenantOptions;
  /** Keeps sessions in PostgreSQL, for any number of workers; in a file of the data folder when left out, or with `ephemeral`. */
  readonly database?: DatabaseOptions;
  /** Keeps sessions in a store of this program's own; not with `database`. Files of sessions stay in the data folder. */
  readonly sessions?: OwnSessions;
  /** Is told, one sentence each, of what goes wrong with files that workers share. */
  readonly log?: (line: string) => void;
  readonly host?: Host;
  readonly fetch?: Fetch;
  /** Is told how far the first indexing of skills has come, while it goes on beside a turn, and how it ended. */
  readonly onSkillIndexing?: (progress: IndexingState) => void;
  /** Answers instead of the models of the settings, whatever their name. */
  readonly model?: Model;
  /** Tools beside the built-in ones. */
  readonly tools?: readonly OwnTool[];
  /** Skills beside those of folders; they come first. */
  readonly skills?: readonly GivenSkill[];
  /** Further sources of skills, asked for each folder. */
  readonly skillSources?: readonly SkillSource[];
  /** Checks of fields of the frontmatter that this program gives a meaning. */
  readonly skillFields?: OwnFields;
  /** Answers permissions and questions of turns in place of a person. Turns end as `waiting` without it. */
  readonly answers?: RequestHandler;
  /** Is shown each event of every session that this runtime works on, as it happens. It must be quick and must not throw. */
  readonly observe?: ((event: SessionEvent) => void) | undefined;
}

/** Resolves when a turn may run, to what is called once at its end; to nothing when the signal aborts first. */
export type TurnPlace = (signal: AbortSignal) => Promise<(() => void) | undefined>;

/** What all parts of a runtime share. */
export interface RuntimeParts {
  readonly host: Host;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dataFolder: string;
  /** Where outputs and helper files of sessions go: the data folder, or the temporary one of an ephemeral runtime. */
  readonly workFolder: string;
  readonly bundledFolder: string;
  readonly store: SessionStore;
  readonly owner: Owner;
  /** Turns that are to go on by themselves. */
  readonly queue: TurnQueue;
  readonly bus: EventBus;
  readonly fetch: Fetch;
  /** Keeps the files of the data folder the same as those of other workers; undefined without a shared database. */
  readonly replica: Replica | undefined;
  /** What a session keeps beside its log. */
  readonly sessionFolder: (kind: SessionFolderKind, sessionId: string) => SessionFolder;
  /** Digests of skills that the person trusts. */
  readonly trust: SkillTrust;
  /** The skills of each folder. */
  readonly skillViews: SkillViews;
  readonly terminal: boolean;
  readonly turnPlace: TurnPlace | undefined;
  readonly tenant: TenantOptions | undefined;
  readonly fixedModel: Model | undefined;
  /** Tools of the embedding program. */
  readonly ownTools: readonly Tool[];
  /** Skills of the embedding program; undefined where it brings none. */
  readonly given: GivenSkills | undefined;
  readonly ownFields: OwnFields | undefined;
  readonly answers: RequestHandler | undefined;
  /** MCP servers that the caller brings, by the real path of a folder. */
  readonly offeredServers: Map<string, OfferedServers>;
  /** Settings of a session in that folder. */
  readonly settings: (cwd: string) => Promise<LoadedSettings>;
  /** They were changed by this process: the next turn reads them anew. */
  readonly forgetSettings: () => void;
  /** ms since 1970. */
  readonly now: () => number;
  /** A new id that sorts by time: `PREFIX_…`. */
  readonly newId: (prefix: string) => string;
  readonly close: () => Promise<void>;
}

/** Folders and host of a runtime, known before anything is opened. */
export interface RuntimePlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dataFolder: string;
  readonly host: Host;
}

/** Works out folders and host. */
export function findPlaces(options: RuntimeOptions): RuntimePlaces {
  const env = options.env ?? process.env;
  const home = options.home ?? homeFolder(env);
  return { env, home, dataFolder: options.dataFolder ?? dataFolder(env, home), host: options.host ?? localHost({ env }) };
}

/** Opens the store and puts the parts together. Rejects with store_unavailable, store_corrupt or store_full. */
export async function openParts(options: RuntimeOptions, { env, home, dataFolder: data, host }: RuntimePlaces): Promise<RuntimeParts> {
  const { now } = host.clock;
  const temporary = options.ephemeral ? fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-ephemeral-')) : undefined;
  const owner: Owner = { instance: randomBytes(8).toString('hex'), ...currentProcess(), ...(options.service ? { service: true } : {}) };
  const { store, queue, files, ...backend } = await openBackend({ ...options, file: path.join(temporary ?? data, 'skillmint.db') }, { now, isAlive: mayBeAlive, sleep: (ms, signal) => host.clock.sleep(ms, signal), instance: owner.instance });
  const bundledFolder = path.join(packageRoot(), 'skills');
  const fetch = options.fetch ?? createModelFetch(env);
  const bus = observedBus(backend.bus, options.observe);
  const given = options.skills || options.skillSources ? givenSkills(options.skills ?? [], options.skillSources ?? []) : undefined;
  const log = options.log ?? (() => undefined);
  const shared = files && (await import('./replica/shared-files.ts')).filesOfScope(files);
  const words = files && (await import('./replica/shared-words.ts')).sharedWords({ ...files, log });
  const views = skillViews({ given, words, fetch, tree: host.tree, files: host.files, env, home, dataFolder: data, bundledFolder, now, ephemeral: options.ephemeral === true, stays: options.terminal === true, onProgress: options.onSkillIndexing });
  const settings = new Map<string, { readonly at: number; readonly loaded: Promise<LoadedSettings> }>();
  const close = async (): Promise<void> => {
    await bus.close();
    await views.close();
    await given?.close();
    await store.close();
    await backend.close();
    if (temporary) fs.rmSync(temporary, { recursive: true, force: true });
  };
  const onChanged = (changed: readonly string[]): void => {
    settings.clear();
    views.changed(changed);
  };
  const replica = files && (await openFiles({ ...files, folder: data, now, stays: options.service === true || options.terminal === true, onChanged, log }, close));
  return {
    host, env, home, store,
    dataFolder: data,
    workFolder: temporary ?? data,
    bundledFolder,
    skillViews: views,
    owner, queue, bus, replica,
    sessionFolder: (kind, sessionId) => sessionFolder({ files: host.files, workFolder: temporary ?? data, shared, log }, kind, sessionId),
    fetch,
    trust: openTrust({ tree: host.tree, dataFolder: data }),
    terminal: options.terminal === true,
    turnPlace: options.turnPlace,
    tenant: options.tenant,
    fixedModel: options.model,
    ownTools: ownTools(options.tools ?? []),
    given,
    ownFields: options.skillFields,
    answers: options.answers,
    offeredServers: new Map(),
    settings(cwd) {
      const last = settings.get(cwd);
      if (last && now() - last.at < SETTINGS_MS) return last.loaded;
      const loaded = loadSettings({ tree: host.tree, env, home, data, cwd, ...(options.tenant ? { server: options.tenant.settings } : {}), ...(options.settings ? { flags: options.settings } : {}) });
      settings.set(cwd, { at: now(), loaded });
      return loaded;
    },
    forgetSettings: () => settings.clear(),
    now,
    newId: (prefix) => `${prefix}_${now().toString(36)}${randomBytes(5).toString('hex')}`,
    async close() {
      await replica?.close();
      await close();
    },
  };
}

/** What was opened before is closed where the files cannot be had. */
async function openFiles(parts: ReplicaParts, close: () => Promise<void>): Promise<Replica> {
  try {
    const { openReplica } = await import('./replica/replica.ts');
    return await openReplica(parts);
  } catch (error) {
    await close();
    throw error;
  }
}
