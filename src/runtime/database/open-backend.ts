import { SkillmintError } from '../../protocol/errors.ts';
import type { Backend, BackendParts, DatabaseOptions } from './backend.ts';
import { openFileBackend } from './file-backend.ts';
import type { OwnSessions } from './own-backend.ts';

/** Where sessions are kept. */
export interface BackendOptions {
  readonly database?: DatabaseOptions;
  readonly sessions?: OwnSessions;
  readonly ephemeral?: boolean;
  /** The file where neither of them is given. */
  readonly file: string;
}

/** Opens what keeps the sessions of a runtime. @throws SkillmintError usage, store_unavailable, store_corrupt, store_full */
export async function openBackend({ database, sessions, ephemeral, file }: BackendOptions, parts: BackendParts): Promise<Backend> {
  if (sessions && database) throw new SkillmintError('usage', 'createRuntime takes `sessions` or `database`, not both: sessions are kept in one place.');
  if (sessions) return (await import('./own-backend.ts')).openOwnBackend(sessions, parts);
  if (database && !ephemeral) return (await import('./postgres-backend.ts')).openPostgresBackend(database, parts);
  return openFileBackend(file, parts);
}
