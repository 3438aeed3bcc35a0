import type { EgressGuard } from '../../egress/egress-guard.ts';
import type { OpenedPack } from '../pack/open-skillpack.ts';
import type { Provenance, SourceOf } from './skill-source.ts';

/** What fetching works with. */
export interface FetchSourceOptions {
  /** The way out; nothing is fetched around it. */
  readonly egress: EgressGuard;
  /** An empty folder, absolute. All that is fetched lies in it; the caller removes it, whatever happened. */
  readonly temporary: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Checks a skillpack and unpacks it into an empty folder, with what the person has to open it and say of its signer. */
  readonly openPack: (file: string, to: string) => Promise<Pick<OpenedPack, 'signer'>>;
  /** Reads the skills that an MCP server offers into the empty folder; left out where no servers are known. */
  readonly fetchOffered?: (source: SourceOf<'mcp'>, temporary: string) => Promise<FetchedSource>;
  /** Told one line for each step that takes time. */
  readonly progress?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * What was fetched: either `folder` (for `git` and `github` the root of the repository, with only what lies below `path`
 * if there is one; for `well-known` the skill's own folder; for `mcp` a folder with one folder for each skill; for `skillpack` one that holds it), or `archive`, a zip or a tar packed with gzip that has still to
 * be unpacked. Both are absolute. For the kinds `folder` and `zip` it is the person's own, which must not be changed.
 * The kind of a file whose name does not tell it is that of its content, whatever the source was.
 */
export interface FetchedSource {
  readonly folder?: string;
  readonly archive?: string;
  /** Of a `well-known` index: the skill's name there. Its archive holds SKILL.md at the root. */
  readonly skill?: string;
  readonly provenance: Provenance;
}
