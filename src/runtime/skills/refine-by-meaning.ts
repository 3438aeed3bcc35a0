import type { Settings } from '../../config/settings.ts';
import type { Fetch } from '../../egress/http-fetch.ts';
import type { Refine } from '../../skills/index/rank-stored.ts';
import { fuse } from '../../skills/search/fuse.ts';
import type { SharedWords } from '../../skills/search/shared-words.ts';
import type { VectorStore } from '../../skills/search/vector-store.ts';

/** How long a question waits for the endpoint, ms; it is ranked by words alone then. */
const WAIT_MS = 1_500;

/** What ranking by meaning takes. */
export interface MeaningOptions {
  readonly endpoint: NonNullable<Settings['skills']['embeddings']>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: Fetch;
  readonly vectors: () => VectorStore;
  readonly shared?: SharedWords | undefined;
  /** Is told why a question was ranked by words alone. */
  readonly warn: (message: string) => void;
}

/** Orders candidates by their words and by their nearness to the question. Candidates that have no vector yet are sent along with it. */
export function refineByMeaning({ endpoint, env, fetch, vectors, shared, warn }: MeaningOptions): Refine {
  const { apiKey } = endpoint;
  const key = typeof apiKey === 'object' ? env[apiKey.env] : apiKey;
  return async (text, candidates) => {
    if (candidates.length === 0) return candidates;
    const textOf = ({ name, description }: { readonly name: string; readonly description: string }): string => `${name}: ${description}`;
    const signal = AbortSignal.timeout(WAIT_MS);
    try {
      const { embedTexts } = await import('../../skills/search/embeddings.ts');
      const embedded = await embedTexts([text, ...candidates.map(textOf)], { endpoint: { baseUrl: endpoint.baseUrl, model: endpoint.model, apiKey: key }, fetch, shared, store: vectors(), signal });
      if (embedded.warning !== undefined) warn(embedded.warning);
      const question = embedded.vectors.get(text);
      return question ? fuse(candidates.map((each) => ({ ...each, vector: embedded.vectors.get(textOf(each)) })), question) : candidates;
    } catch (error) {
      if (!signal.aborted) throw error;
      warn(`The embeddings endpoint ${endpoint.baseUrl} (skills.embeddings) did not answer within ${WAIT_MS / 1_000} s; skills were searched by their words alone.`);
      return candidates;
    }
  };
}
