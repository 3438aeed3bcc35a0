/** What `skillmint skills install` can be told. */
export interface InstallFlags {
  readonly scope: string;
  readonly skill?: readonly string[];
  readonly replace?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly frozen?: boolean;
  readonly json?: boolean;
}
