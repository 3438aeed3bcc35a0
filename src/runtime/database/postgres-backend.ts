import { ONE_PERSON, type Backend, type BackendParts, type DatabaseOptions } from './backend.ts';
import { openSharedDatabase } from './shared-database.ts';

/** Keeps everything in PostgreSQL. @throws SkillmintError usage, store_unavailable */
export async function openPostgresBackend(options: DatabaseOptions, parts: BackendParts): Promise<Backend> {
  if ('shared' in options) return options.shared.backend(options.tenant, parts);
  const shared = await openSharedDatabase(options.url);
  return { ...shared.backend(options.tenant ?? ONE_PERSON, parts), close: () => shared.close() };
}
