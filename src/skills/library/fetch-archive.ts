import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { archiveKind } from './archive-kind.ts';
import { download } from './download.ts';
import type { FetchedSource, FetchSourceOptions } from './fetched-source.ts';
import { pinnedIntegrity } from './integrity.ts';
import { sourceText, type SourceOf } from './skill-source.ts';

/** Fetches a zip or a tar packed with gzip. Throws `install_refused` for anything else. */
export async function fetchArchive(source: SourceOf<'archive'>, { egress, temporary, signal, progress }: FetchSourceOptions): Promise<FetchedSource> {
  const { url } = source;
  progress?.(`fetching ${url}`);
  const archive = path.join(temporary, 'archive');
  const integrity = source.integrity === undefined ? undefined : pinnedIntegrity(source.integrity, url);
  const got = await download(url, { fetch: egress.fetch, file: archive, integrity, signal });
  if ((await archiveKind(archive)) === undefined) {
    throw new SkillmintError('install_refused', `${url} is neither a zip nor a .tar.gz (it says ${got.contentType || 'nothing about its type'}). For a git repository write git+${url}, for a site with a skills index only https://HOST.`);
  }
  return { archive, provenance: { source: sourceText(source), kind: 'archive', integrity: got.integrity, resolved: got.resolved } };
}
