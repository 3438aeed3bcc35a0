/**
 * Where skills come from. `ref` is a branch, a tag or a commit; `path` a folder inside of what is fetched, with `/`;
 * `integrity` is what the fetched bytes must have (`sha256-…`, `sha512-…` in base64, as in package locks).
 */
export type SkillSource =
  | { readonly kind: 'folder'; readonly folder: string }
  /** An archive on this machine: zip, or tar packed with gzip. */
  | { readonly kind: 'zip'; readonly file: string }
  /** `signer`: fingerprint of whoever has to have signed it; left out, whoever the person accepts. */
  | { readonly kind: 'skillpack'; readonly file: string; readonly signer?: string }
  | { readonly kind: 'git'; readonly url: string; readonly ref?: string; readonly path?: string }
  | { readonly kind: 'github'; readonly owner: string; readonly repo: string; readonly ref?: string; readonly path?: string }
  /** `version` is an exact version, a range or a tag such as `latest`. */
  | { readonly kind: 'npm'; readonly package: string; readonly version?: string; readonly integrity?: string }
  | { readonly kind: 'archive'; readonly url: string; readonly integrity?: string }
  /** Skills that an MCP server of the person offers, by its name here. */
  | { readonly kind: 'mcp'; readonly server: string; readonly skill?: string; readonly integrity?: string }
  /** `url` is that of the index. */
  | { readonly kind: 'well-known'; readonly url: string; readonly skill?: string; readonly integrity?: string };

/** The sources of one kind. */
export type SourceOf<K extends SkillSource['kind']> = Extract<SkillSource, { readonly kind: K }>;

/** What was fetched, for the lock file. `source` is a text that `parseSource` reads again. */
export interface Provenance {
  readonly source: string;
  /** `draft`: it was written here, and there is nothing to fetch it from again. */
  readonly kind: SkillSource['kind'] | 'draft';
  /** Full id of the commit. */
  readonly commit?: string;
  /** Exact version of the package. */
  readonly version?: string;
  /** `ALGORITHM-BASE64` of the fetched archive or file. */
  readonly integrity?: string;
  /** Address that was fetched in the end. */
  readonly resolved?: string;
  /** Fingerprint of whoever signed the skillpack. */
  readonly signer?: string;
  /** Name of the plugin of the source that the skills belong to. */
  readonly plugin?: string;
}

/** The same source, tied to what was fetched then: fetching it gives the same bytes or fails. */
export function pinSource(source: SkillSource, { commit, version, integrity, signer }: Pick<Provenance, 'commit' | 'version' | 'integrity' | 'signer'>): SkillSource {
  switch (source.kind) {
    case 'folder':
    case 'zip': return source;
    case 'skillpack': return signer === undefined ? source : { ...source, signer };
    case 'git':
    case 'github': return commit === undefined ? source : { ...source, ref: commit };
    case 'npm': return { ...source, ...(version === undefined ? {} : { version }), ...(integrity === undefined ? {} : { integrity }) };
    case 'archive':
    case 'mcp':
    case 'well-known': return integrity === undefined ? source : { ...source, integrity };
  }
}

/** The text of a source that `parseSource` reads again; digests are not part of it. */
export function sourceText(source: SkillSource): string {
  switch (source.kind) {
    case 'folder': return source.folder;
    case 'zip':
    case 'skillpack': return source.file;
    case 'git': return `git+${source.url}${fragment(source)}`;
    case 'github': return `${source.owner}/${source.repo}${fragment(source)}`;
    case 'npm': return `npm:${source.package}${source.version === undefined ? '' : `@${source.version}`}`;
    case 'archive': return source.url;
    case 'mcp': return `mcp:${source.server}${source.skill === undefined ? '' : `#${source.skill}`}`;
    case 'well-known': return `${source.url}${source.skill === undefined ? '' : `#${source.skill}`}`;
  }
}

function fragment({ ref, path }: { readonly ref?: string; readonly path?: string }): string {
  if (ref === undefined && path === undefined) return '';
  return `#${ref ?? ''}${path === undefined ? '' : `:${path}`}`;
}
