import { offeredSource } from '../../runtime/mcp/offered-source.ts';
import type { FetchedSource } from '../../skills/library/fetched-source.ts';
import type { SourceOf } from '../../skills/library/skill-source.ts';
import { serversHere } from './servers-here.ts';

/** Reads the skills that a server of the current folder offers. Rejects as `offeredSource` does. */
export async function fetchOfferedHere(source: SourceOf<'mcp'>, temporary: string, signal: AbortSignal): Promise<FetchedSource> {
  const { host, home, data, cwd, loaded } = await serversHere();
  return offeredSource(source, { host, env: process.env, home, dataFolder: data, cwd, settings: loaded, temporary, signal });
}
