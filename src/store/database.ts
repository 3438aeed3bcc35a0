/** What a column may hold. Blobs are bytes; there are no booleans and no dates. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** A row by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** What a transaction promises when it returns. */
export interface TransactionOptions {
  /** The transaction, and every one before it, survives a power cut; otherwise it survives the death of every process. */
  readonly durable?: boolean;
}

/**
 * An open embedded database. All calls are synchronous and short. Statements take `?` parameters only, as many values
 * as there are marks. Failures of the file are `SkillmintError`s (`store_unavailable`, `store_corrupt`, `store_full`);
 * a violated constraint is told apart by `isConstraintError`; wrong SQL is a programmer's error and thrown as it is.
 */
export interface Database {
  /** Absolute path of the file. */
  readonly file: string;
  /** Runs a statement that gives no rows. */
  run(sql: string, params?: readonly SqlValue[]): { readonly changes: number };
  /** The first row, or undefined. */
  get(sql: string, params?: readonly SqlValue[]): Row | undefined;
  all(sql: string, params?: readonly SqlValue[]): readonly Row[];
  /**
   * Runs `work` in one transaction that holds the write lock from its start, so that it never fails half-way for another
   * writer. What `work` throws rolls it back and is thrown on. `work` must be synchronous; transactions do not nest.
   */
  transaction<T>(work: () => T, options?: TransactionOptions): T;
  /** Further calls are programmer's errors; closing twice is not. */
  close(): void;
}
