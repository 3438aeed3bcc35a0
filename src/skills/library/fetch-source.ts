import { SkillmintError } from '../../protocol/errors.ts';
import { never } from '../../util/never.ts';
import type { FetchedSource, FetchSourceOptions } from './fetched-source.ts';
import { sourceText, type SkillSource, type SourceOf } from './skill-source.ts';

async function fetchOffered(source: SourceOf<'mcp'>, { fetchOffered: fetch, temporary, progress }: FetchSourceOptions): Promise<FetchedSource> {
  if (!fetch) throw new SkillmintError('install_refused', `No MCP servers are known here, so ${sourceText(source)} cannot be fetched.`);
  progress?.(`asking the MCP server ${source.server} for its skills`);
  return fetch(source, temporary);
}

/**
 * Fetches a source; a pinned one (see `pinSource`) gives the same bytes as then or fails. No code of it runs, and links
 * in a tree do not lead out of it. Throws `not_found`, `install_refused`, `egress_refused`, `network_failed`,
 * `interrupted`, `config_invalid`, `skillpack_refused` and `io`.
 */
export async function fetchSource(source: SkillSource, options: FetchSourceOptions): Promise<FetchedSource> {
  switch (source.kind) {
    case 'folder':
    case 'zip':
    case 'skillpack': return (await import('./local-source.ts')).openLocal(source, options);
    case 'git':
    case 'github': return (await import('./fetch-git.ts')).fetchGit(source, options);
    case 'npm': return (await import('./fetch-npm.ts')).fetchNpm(source, options);
    case 'archive': return (await import('./fetch-archive.ts')).fetchArchive(source, options);
    case 'mcp': return fetchOffered(source, options);
    case 'well-known': return (await import('./fetch-well-known.ts')).fetchWellKnown(source, options);
    default: return never(source);
  }
}
