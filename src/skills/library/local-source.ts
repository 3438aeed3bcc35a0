import fs from 'node:fs/promises';
import { SkillmintError, messageOf, systemCode } from '../../protocol/errors.ts';
import { archiveKind, isSkillpack } from './archive-kind.ts';
import type { FetchedSource, FetchSourceOptions } from './fetched-source.ts';
import { refusal } from './refusal.ts';
import { sourceText, type SourceOf } from './skill-source.ts';

type LocalSource = SourceOf<'folder' | 'zip' | 'skillpack'>;

/** A folder, an archive or a skillpack of this machine. What the name says a file is, it must be; where that says nothing, the content decides. */
export async function openLocal(source: LocalSource, options: Pick<FetchSourceOptions, 'temporary' | 'openPack'>): Promise<FetchedSource> {
  const file = sourceText(source);
  const known = await reading(file, () => fs.stat(file));
  if (known.isDirectory()) return { folder: file, provenance: { source: file, kind: 'folder' } };
  if (!known.isFile()) throw refusal(`${file} is no regular file.`);
  const content = await reading(file, async () => ((await isSkillpack(file)) ? 'skillpack' : (await archiveKind(file)) === undefined ? undefined : 'zip'));
  const kind = source.kind === 'folder' ? content : source.kind;
  if (kind === undefined) throw refusal(`${file} is no folder. Give a folder with a SKILL.md, or a .zip, .tgz, .tar.gz or .skillpack file.`);
  if (kind !== content) throw refusal(`${file} is not what its name says: ${contentText(content)}. It may be damaged; fetch or pack it again.`);
  return kind === 'skillpack' ? openPackFile(source, file, options) : { archive: file, provenance: { source: file, kind } };
}

function contentText(content: 'zip' | 'skillpack' | undefined): string {
  switch (content) {
    case 'zip': return 'it is a zip or a .tar.gz file';
    case 'skillpack': return 'it is a skillpack, whose name has to end in .skillpack';
    case undefined: return 'it is neither a zip nor a .tar.gz file nor a skillpack';
  }
}

async function openPackFile(source: LocalSource, file: string, { temporary, openPack }: Pick<FetchSourceOptions, 'temporary' | 'openPack'>): Promise<FetchedSource> {
  const { signer } = await openPack(file, temporary);
  const wanted = source.kind === 'skillpack' ? source.signer : undefined;
  if (wanted !== undefined && signer?.fingerprint !== wanted) throw refusal(`${file} is ${signer === undefined ? 'not signed' : `signed by ${signer.fingerprint}`} now, and was signed by ${wanted} when it was installed. If you trust that, install it anew.`);
  return { folder: temporary, provenance: { source: file, kind: 'skillpack', ...(signer === undefined ? {} : { signer: signer.fingerprint }) } };
}

async function reading<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error));
    throw new SkillmintError(missing ? 'not_found' : 'io', missing ? `${file} does not exist.` : `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
