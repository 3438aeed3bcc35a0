import { SkillmintError } from '../../protocol/errors.ts';
import type { DeltaHub } from '../../sessions/delta-hub.ts';
import { newer, schemaState } from '../../store/postgres/migrate.ts';
import type { Postgres } from '../../store/postgres/postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../store/postgres/schema.ts';

/** Whoever did not hear that the schema was raised sees it after so long, ms. */
const LOOK_MS = 10_000;

/** Asks nothing of the database any more once its schema is newer than this program; the result ends the watch. */
export function watchSchema(db: Postgres, hub: Pick<DeltaHub, 'onCall'>): () => void {
  const look = async (): Promise<void> => {
    try {
      const state = await schemaState(db, POSTGRES_MIGRATIONS);
      if (state.kind === 'newer') db.refuse(newer(db, state));
    } catch (error) {
      // A database that is away says so wherever it is needed, and is looked at again.
      if (!(error instanceof SkillmintError)) throw error;
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  const silence = hub.onCall('schema', () => void look());
  return () => {
    clearInterval(timer);
    silence();
  };
}
