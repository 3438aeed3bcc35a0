import type { KeyObject } from 'node:crypto';
import type { ReadTree } from '../../host/host.ts';
import { messageOf } from '../../protocol/errors.ts';
import { readDocument, type SkillPlace } from '../discover/read-entry.ts';
import { digestSkill } from '../digest.ts';
import { listSkillFiles, type SkillFile } from '../files.ts';
import { sha256 } from '../sha256.ts';
import { manifestEntry, sealEntry, tarEntry } from './pack-layout.ts';
import { PACK_LIMITS } from './pack-limits.ts';
import { checkPaths, manifestBytes, type PackManifest } from './pack-manifest.ts';
import { sealBytes } from './pack-seal.ts';
import { packRefusal } from './refusal.ts';
import { paddedSize, TAR_END, tarHeader, type TarEntry } from './tar-blocks.ts';

/** A skill as one file. */
export interface MadePack {
  readonly manifest: PackManifest;
  readonly bytes: Uint8Array;
}

interface Content {
  readonly entry: TarEntry;
  readonly bytes: Uint8Array;
}

/**
 * Packs a skill; the same files give the same bytes. Links within the skill become copies of the files that they lead to.
 * Rejects with `skillpack_refused` for what is no skill, for links that lead out or to folders, for files that not every
 * system can store, and above the limits.
 */
export async function makePack(tree: ReadTree, place: SkillPlace, key?: KeyObject): Promise<MadePack> {
  const { name, description, status, reason } = await readDocument(tree, place);
  if (status === 'rejected') throw refused(place, reason ?? 'its SKILL.md cannot be read');
  const { files, problems, links, truncated } = listSkillFiles(tree, place.folder);
  const hasFile = files.some((file) => file.path.toLowerCase() === 'skill.md');
  const [fault] = [...(hasFile ? [] : ['it is no folder with a SKILL.md']), ...problems, ...links.map((link) => `${link} is a link to a folder`), ...(truncated ? [`it has more than ${PACK_LIMITS.files} files`] : [])];
  if (fault !== undefined) throw refused(place, fault);
  const { digest } = digestSkill(tree, place.folder);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > PACK_LIMITS.packBytes) throw refused(place, `its files have ${total} bytes; ${PACK_LIMITS.packBytes} are the limit`);
  const contents = files.map((file) => ({ file, ...contentOf(tree, place, file) }));
  const packed = contents.map(({ file, bytes, entry }) => ({ path: file.path, size: bytes.length, sha256: sha256(bytes), mode: entry.executable ? '755' as const : '644' as const }));
  try {
    checkPaths(packed);
  } catch (error) {
    throw refused(place, messageOf(error), error);
  }
  if (digestSkill(tree, place.folder).digest !== digest) throw refused(place, 'it changed while it was read; try again');
  const manifest = { name, description, digest, files: packed };
  const head = manifestBytes(manifest);
  const seal = sealBytes(head, key);
  const bytes = tarOf([{ entry: manifestEntry(head.length), bytes: head }, { entry: sealEntry(seal.length), bytes: seal }, ...contents]);
  if (bytes.length > PACK_LIMITS.packBytes) throw refused(place, `the pack would have ${bytes.length} bytes; ${PACK_LIMITS.packBytes} are the limit`);
  return { manifest, bytes };
}

function contentOf(tree: ReadTree, place: SkillPlace, file: SkillFile): Content {
  try {
    const bytes = tree.read(file.realPath);
    return { entry: tarEntry({ path: file.path, size: bytes.length, executable: (tree.stat(file.realPath).mode & 0o111) !== 0 }), bytes };
  } catch (error) {
    throw refused(place, `${file.path} cannot be read: ${messageOf(error)}`, error);
  }
}

function tarOf(contents: readonly Content[]): Buffer {
  return Buffer.concat([...contents.flatMap(({ entry, bytes }) => [tarHeader(entry), bytes, Buffer.alloc(paddedSize(bytes.length) - bytes.length)]), TAR_END]);
}

function refused({ folder }: SkillPlace, why: string, cause?: unknown): Error {
  return packRefusal(`${folder} cannot be packed: ${why}`, cause);
}
