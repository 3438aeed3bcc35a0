/** What `skillmint skills create` can be told. */
export interface CreateFlags {
  readonly description?: string;
  readonly instructions?: string;
  readonly prompt?: string;
  readonly model?: string;
  readonly scope?: string;
  readonly json?: boolean;
}
