/** A database as `skillmint db status` shows it. */
export interface DatabaseStatus {
  readonly backend: 'sqlite' | 'postgres';
  /** File, or host and name. */
  readonly place: string;
  /** `empty` where nothing of skillmint is there, `older` where `db migrate` has work, `newer` where this program cannot use it. */
  readonly schema: { readonly state: 'empty' | 'current' | 'older' | 'newer'; readonly version: number; readonly known: number };
  /** Left out while the schema is not the one of this program. */
  readonly content?: DatabaseContent;
}

/** What is in a database. */
export interface DatabaseContent {
  readonly size_bytes: number;
  readonly tenants: number;
  readonly sessions: number;
  /** Sessions by status; `running` ones may have been interrupted. */
  readonly by_status: Readonly<Record<string, number>>;
  readonly events: number;
  /** Turns that are to go on by themselves. */
  readonly queue: { readonly waiting: number; readonly active: number };
  /** Processes that work on it: of PostgreSQL all that are connected, of SQLite the one that has the queue. */
  readonly workers: readonly { readonly machine: string; readonly pid: number; readonly since?: string }[];
}
