import fs from 'node:fs/promises';
import { SkillmintError, messageOf, systemCode } from '../../protocol/errors.ts';
import { archiveKind } from './archive-kind.ts';
import type { FetchedSource } from './fetched-source.ts';
import { sourceText, type SourceOf } from './skill-source.ts';

/** A folder of this machine, which must exist. */
export async function openFolder(source: SourceOf<'folder'>): Promise<FetchedSource> {
  const { folder } = source;
  if (!(await look(folder)).isDirectory()) throw new SkillmintError('install_refused', `${folder} is no folder. Give a folder with a SKILL.md, or a .zip, .tgz or .tar.gz file.`);
  return { folder, provenance: { source: sourceText(source), kind: 'folder' } };
}

/** An archive of this machine, which must exist and begin as one. */
export async function openArchive(source: SourceOf<'zip'>): Promise<FetchedSource> {
  const { file } = source;
  const known = await look(file);
  if (known.isDirectory()) return openFolder({ kind: 'folder', folder: file });
  if (!known.isFile()) throw new SkillmintError('install_refused', `${file} is no regular file.`);
  if ((await reading(file, () => archiveKind(file))) === undefined) throw new SkillmintError('install_refused', `${file} is neither a zip nor a .tar.gz file. It may be damaged; fetch or pack it again.`);
  return { archive: file, provenance: { source: sourceText(source), kind: 'zip' } };
}

function look(file: string): Promise<Awaited<ReturnType<typeof fs.stat>>> {
  return reading(file, () => fs.stat(file));
}

async function reading<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error));
    throw new SkillmintError(missing ? 'not_found' : 'io', missing ? `${file} does not exist.` : `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
