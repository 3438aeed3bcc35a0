import type { Fetch } from '../egress/http-fetch.ts';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadSettings, type LoadedSettings } from '../config/load-settings.ts';
import { dataFolder } from '../config/paths.ts';
import type { SettingsFile } from '../config/settings.ts';
import { createModelFetch } from '../egress/model-fetch.ts';
import type { Host } from '../host/host.ts';
import { localHost } from '../host/local-host.ts';
import { currentProcess, mayBeAlive } from '../host/process-identity.ts';
import type { Model } from '../model/model.ts';
import { SESSION_MIGRATIONS } from '../sessions/migrations.ts';
import { sqliteSessions } from '../sessions/sqlite-sessions.ts';
import type { Owner, SessionStore } from '../sessions/store.ts';
import type { IndexingState } from '../skills/index/skill-index.ts';
import { openTrust, type SkillTrust } from '../skills/trust/trust-store.ts';
import { openSqlite } from '../store/sqlite.ts';
import { packageRoot } from './package-root.ts';
import { skillViews, type SkillViews } from './skill-views.ts';

/** The parts of one turn share what was read; the next one sees what a person has changed. */
const SETTINGS_MS = 500;

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
  /** Tries the sandbox out while the store opens, for a process that is about to run a turn. */
  readonly probeEarly?: boolean;
  readonly host?: Host;
  readonly fetch?: Fetch;
  /** Is told how far the first indexing of skills has come, while it goes on beside a turn, and how it ended. */
  readonly onSkillIndexing?: (progress: IndexingState) => void;
  /** Answers instead of the models of the settings, whatever their name. */
  readonly model?: Model;
}

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
  readonly fetch: Fetch;
  /** Digests of skills that the person trusts. */
  readonly trust: SkillTrust;
  /** The skills of each folder. */
  readonly skillViews: SkillViews;
  readonly terminal: boolean;
  readonly fixedModel: Model | undefined;
  /** Settings of a session in that folder. */
  readonly settings: (cwd: string) => Promise<LoadedSettings>;
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
  const home = options.home ?? env['HOME'] ?? os.homedir();
  return { env, home, dataFolder: options.dataFolder ?? dataFolder(env, home), host: options.host ?? localHost({ env }) };
}

/** Opens the store and puts the parts together. Rejects with store_unavailable, store_corrupt or store_full. */
export async function openParts(options: RuntimeOptions, { env, home, dataFolder: data, host }: RuntimePlaces): Promise<RuntimeParts> {
  const { now } = host.clock;
  const temporary = options.ephemeral ? fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-ephemeral-')) : undefined;
  const database = openSqlite(path.join(temporary ?? data, 'skillmint.db'), SESSION_MIGRATIONS);
  const store = sqliteSessions(database, { now, isAlive: mayBeAlive });
  const bundledFolder = path.join(packageRoot(), 'skills');
  const fetch = options.fetch ?? createModelFetch(env);
  const views = skillViews({ fetch, tree: host.tree, files: host.files, env, home, dataFolder: data, bundledFolder, now, ephemeral: options.ephemeral === true, stays: options.terminal === true, onProgress: options.onSkillIndexing });
  const settings = new Map<string, { readonly at: number; readonly loaded: Promise<LoadedSettings> }>();
  return {
    host, env, home, store,
    dataFolder: data,
    workFolder: temporary ?? data,
    bundledFolder,
    skillViews: views,
    owner: { instance: randomBytes(8).toString('hex'), ...currentProcess() },
    fetch,
    trust: openTrust({ tree: host.tree, dataFolder: data }),
    terminal: options.terminal === true,
    fixedModel: options.model,
    settings(cwd) {
      const last = settings.get(cwd);
      if (last && now() - last.at < SETTINGS_MS) return last.loaded;
      const loaded = loadSettings({ tree: host.tree, env, home, data, cwd, ...(options.settings ? { flags: options.settings } : {}) });
      settings.set(cwd, { at: now(), loaded });
      return loaded;
    },
    now,
    newId: (prefix) => `${prefix}_${now().toString(36)}${randomBytes(5).toString('hex')}`,
    async close() {
      await views.close();
      await store.close();
      if (temporary) fs.rmSync(temporary, { recursive: true, force: true });
    },
  };
}
