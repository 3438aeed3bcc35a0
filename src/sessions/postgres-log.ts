import type { Postgres } from '../store/postgres/postgres.ts';
import type { Owner } from './store.ts';

/** What the log in PostgreSQL needs. */
export interface PostgresLogParts {
  readonly db: Postgres;
  /** Whose sessions: those of others are as if they were not there. */
  readonly tenant: string;
  /** False once the process is known to be gone; of other machines only the lease tells. */
  readonly isAlive: (owner: Owner) => boolean;
  /** Resolves after so many ms. */
  readonly sleep: (ms: number) => Promise<void>;
  /** How long a write of a running turn waits for a database that is down, ms. */
  readonly patienceMs?: number;
}
