import type { OpeningFlags } from '../packs/open-for-person.ts';

/** What `skillmint skills install` can be told. */
export interface InstallFlags extends OpeningFlags {
  readonly scope: string;
  readonly skill?: readonly string[];
  readonly plugin?: string;
  readonly replace?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly frozen?: boolean;
  readonly json?: boolean;
}
