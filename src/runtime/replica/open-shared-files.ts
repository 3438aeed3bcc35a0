import { openPostgres } from '../../store/postgres/postgres.ts';
import { requirePostgresSchema } from '../database/postgres-schema.ts';
import { openReplica, type Replica, type ReplicaParts } from './replica.ts';

/** The files of a data folder alone, without sessions, and what ends the connection. @throws SkillmintError usage, store_unavailable, config_invalid */
export async function openSharedFiles({ url, ...parts }: Pick<ReplicaParts, 'tenant' | 'folder' | 'log'> & { readonly url: string }): Promise<{ readonly replica: Replica; readonly close: () => Promise<void> }> {
  const db = await openPostgres(url, { connections: 2 });
  try {
    await requirePostgresSchema(db);
    const replica = await openReplica({ ...parts, db, now: Date.now, stays: false });
    return { replica, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}
