import { editSetting } from '../../config/edit-settings.ts';
import { knownSettings, type KnownSetting } from '../../config/known-settings.ts';
import { listSettings, ownSetting, type SettingRow } from '../../config/list-settings.ts';
import { listModels, listProviders, type ModelListing, type ProviderListing } from '../../model/listing.ts';
import type { Json } from '../../protocol/json.ts';
import type { RuntimeParts } from '../parts.ts';

/** The settings of a folder, as a person looks at them and changes them. */
export interface SettingsService {
  /** Every setting that has a value, with its origin; keys and header values are masked. */
  list(): Promise<{ readonly settings: readonly OwnedRow[]; readonly known: readonly KnownSetting[]; readonly notices: readonly string[]; readonly files: SettingFiles }>;
  /** Writes a setting into the person's own file; undefined takes it out. @throws SkillmintError usage, config_invalid, config_unreadable */
  set(key: string, value: Json | undefined): Promise<void>;
  /** Whether this person may change a setting; of settings with free names the part before the name. */
  mayChange(key: string): boolean;
  /** All models that are known by name, but for those of providers with a problem. */
  models(): Promise<readonly ModelListing[]>;
  /** All providers, where the key of each comes from, and what is wrong with it. */
  providers(): Promise<readonly ProviderListing[]>;
}

/** A setting, with what the person's own file says of it; nothing where it says nothing. */
export interface OwnedRow extends SettingRow {
  readonly own?: unknown;
}

/** Where settings are read from. */
export interface SettingFiles {
  readonly user: string;
  readonly project?: string;
  /** The project's file may widen rights, too. */
  readonly trusted: boolean;
}

/** The settings of a folder. */
export function settingsService(parts: RuntimeParts, cwd: string): SettingsService {
  return {
    async list() {
      const loaded = await parts.settings(cwd);
      const settings = listSettings(loaded).map((row) => {
        const own = ownSetting(loaded, row.key);
        return { ...row, ...(own === undefined ? {} : { own }) };
      });
      return { settings, known: knownSettings(), notices: loaded.notices, files: { user: loaded.userFile, ...(loaded.project === undefined ? {} : { project: loaded.project }), trusted: loaded.trusted } };
    },
    mayChange: () => true,
    async set(key, value) {
      await editSetting(parts.host.files, { file: (await parts.settings(cwd)).userFile, key, value });
      parts.forgetSettings();
    },
    providers: async () => listProviders((await parts.settings(cwd)).values.providers, parts.env),
    async models() {
      const { providers } = (await parts.settings(cwd)).values;
      const sound = listProviders(providers, parts.env).filter(({ problem }) => problem === undefined);
      return listModels(providers, parts.env, sound.map(({ name }) => name));
    },
  };
}
