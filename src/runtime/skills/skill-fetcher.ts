import { createEgressGuard } from '../../egress/egress-guard.ts';
import { fetchSource } from '../../skills/library/fetch-source.ts';
import type { FetchedSource, FetchSourceOptions } from '../../skills/library/fetched-source.ts';
import type { SkillSource } from '../../skills/library/skill-source.ts';

/** What fetching sources of skills is bound to. */
export interface FetcherOptions {
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly openPack: FetchSourceOptions['openPack'];
  /** See `FetchSourceOptions`. */
  readonly fetchOffered: NonNullable<FetchSourceOptions['fetchOffered']>;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Gets sources of skills through the guard of the network. */
export function skillFetcher({ allow, env, openPack, fetchOffered, progress, signal }: FetcherOptions): (source: SkillSource, temporary: string) => Promise<FetchedSource> {
  return (source, temporary) => fetchSource(source, { egress: createEgressGuard({ allow, env }), temporary, env, openPack, fetchOffered, progress, ...(signal === undefined ? {} : { signal }) });
}
