import { ONE_PERSON } from '../runtime/database/backend.ts';
import { serverToken, type ServerToken } from './login/server-token.ts';
import type { ServeOptions } from './serve-options.ts';
import { hasUsers } from './users/users-options.ts';

/** The files of a server itself: its users, its token, its settings. Those of a user belong to the runtime of that user. */
export interface ServerFiles {
  /** Makes them the same for all workers on the database; does nothing without one. */
  sync(): Promise<unknown>;
  close(): Promise<void>;
  /** For what fails before the server runs. */
  readonly closeAndThrow: (error: unknown) => Promise<never>;
}

/** Opens them. Of a server for one person they are those of its runtime, which is open already. @throws SkillmintError store_unavailable, config_invalid */
export async function serverFiles({ runtime, dataFolder, log }: Pick<ServeOptions, 'runtime' | 'dataFolder' | 'log'>): Promise<ServerFiles> {
  const opened = await open({ runtime, dataFolder, log });
  return {
    ...opened,
    async closeAndThrow(error) {
      await opened.close();
      throw error;
    },
  };
}

async function open({ runtime, dataFolder, log }: Pick<ServeOptions, 'runtime' | 'dataFolder' | 'log'>): Promise<Pick<ServerFiles, 'sync' | 'close'>> {
  const nothing = async (): Promise<void> => undefined;
  if (!hasUsers(runtime)) return { sync: () => runtime.syncFiles(), close: nothing };
  if (!runtime.database) return { sync: nothing, close: nothing };
  const { openReplica } = await import('../runtime/replica/replica.ts');
  return openReplica({ db: runtime.database.db, tenant: ONE_PERSON, folder: dataFolder, now: Date.now, stays: true, log });
}

/** The token of the server. Of two workers that make one at the same moment, that of one is the token of both. */
export async function sharedToken(place: Parameters<typeof serverToken>[0], files: ServerFiles): Promise<ServerToken> {
  serverToken(place);
  await files.sync();
  return serverToken(place);
}
