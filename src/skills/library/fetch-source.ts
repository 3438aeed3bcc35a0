import type { EgressGuard } from '../../egress/egress-guard.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { Provenance, SkillSource } from './skill-source.ts';

/** What fetching works with. */
export interface FetchSourceOptions {
  /** The way out; nothing is fetched around it. */
  readonly egress: EgressGuard;
  /** An empty folder, absolute. All that is fetched lies in it; the caller removes it, whatever happened. */
  readonly temporary: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told one line for each step that takes time. */
  readonly progress?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * What was fetched: either `folder`, a folder with the tree (for `git` it holds links and is no more trusted than any
 * other folder; for `well-known` it is the skill's own folder), or `archive`, a zip or a tar packed with gzip that has
 * still to be unpacked. Both are absolute. For the kind `folder` it is the folder itself, which is not to be changed.
 */
export interface FetchedSource {
  readonly folder?: string;
  readonly archive?: string;
  /** Of a `well-known` index: the skill's name there. Its archive holds SKILL.md at the root. */
  readonly skill?: string;
  readonly provenance: Provenance;
}

/**
 * Fetches a source; a pinned one (see `pinSource`) gives the same bytes as then or fails. No code of it runs.
 * Throws `not_found`, `install_refused`, `egress_refused`, `network_failed`, `interrupted` and `io`.
 */
export async function fetchSource(source: SkillSource, _options: FetchSourceOptions): Promise<FetchedSource> {
  throw new SkillmintError('install_refused', `sources of the kind ${source.kind} cannot be fetched yet`);
}
