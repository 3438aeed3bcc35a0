import { createEgressGuard } from '../egress/egress-guard.ts';
import { fetchSource, type FetchedSource } from '../skills/library/fetch-source.ts';
import { sourceText, type SkillSource } from '../skills/library/skill-source.ts';

/** What fetching sources of skills is bound to. */
export interface FetcherOptions {
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Gets sources of skills through the guard of the network. */
export function skillFetcher({ allow, env, progress, signal }: FetcherOptions): (source: SkillSource, temporary: string) => Promise<FetchedSource> {
  return (source, temporary) => {
    if (source.kind === 'zip') return Promise.resolve({ archive: source.file, provenance: { source: sourceText(source), kind: source.kind } });
    if (source.kind === 'folder') return Promise.resolve({ folder: source.folder, provenance: { source: sourceText(source), kind: source.kind } });
    return fetchSource(source, { egress: createEgressGuard({ allow, env }), temporary, env, progress, ...(signal === undefined ? {} : { signal }) });
  };
}
