import { isObject, parseJson } from '../../protocol/json.ts';
import { nameClaims } from '../library/name-claims.ts';
import { PACK_LIMITS } from './pack-limits.ts';
import { pathFault } from './pack-path.ts';
import { packRefusal } from './refusal.ts';

const VERSION = 1;

/** One file of a packed skill. */
export interface PackedFile {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  readonly mode: '644' | '755';
}

/** What a skillpack says of its content. It holds no time and no person, so that the same folder gives the same pack. */
export interface PackManifest {
  readonly name: string;
  readonly description: string;
  /** Digest of the skill, as listings and trust know it. */
  readonly digest: string;
  /** In the order of their paths. */
  readonly files: readonly PackedFile[];
}

/** The manifest as it is packed and signed; there is one form for each. */
export function manifestBytes({ name, description, digest, files }: PackManifest): Buffer {
  const plain = files.map(({ path, size, sha256, mode }) => ({ path, size, sha256, mode }));
  return Buffer.from(`${JSON.stringify({ format: 'skillpack', version: VERSION, name, description, digest, files: plain }, null, 1)}\n`);
}

/** Reads a manifest. Throws `skillpack_refused` for one of a newer version, one that is not in its one form, and one whose paths would not stay in a folder. */
export function parseManifest(bytes: Uint8Array): PackManifest {
  const value = parseJson(Buffer.from(bytes).toString());
  if (!isObject(value) || value['format'] !== 'skillpack') throw packRefusal('its manifest cannot be read');
  if (typeof value['version'] === 'number' && value['version'] > VERSION) throw packRefusal(`a newer skillmint has made it (version ${value['version']}, this one reads ${VERSION}); update skillmint`);
  if (!isManifest(value)) throw packRefusal('its manifest is not in the form of version 1');
  if (!manifestBytes(value).equals(bytes)) throw packRefusal('its manifest was changed');
  checkPaths(value.files);
  return value;
}

/** Throws `skillpack_refused` where the files cannot be stored as they are on every system. */
export function checkPaths(files: readonly Pick<PackedFile, 'path'>[]): void {
  if (files.length > PACK_LIMITS.files) throw packRefusal(`it has ${files.length} files; ${PACK_LIMITS.files} are the limit`);
  const names = nameClaims();
  for (const { path } of files) {
    const fault = pathFault(path);
    if (fault !== undefined) throw packRefusal(`its file ${JSON.stringify(path)} ${fault}`);
    const clash = names.claim(path.split('/'), 'file');
    if (clash !== undefined) throw packRefusal(`its file ${JSON.stringify(path)} is in the way of another: ${clash}`);
  }
}

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & PackManifest {
  const texts = ['name', 'description', 'digest'].every((key) => typeof value[key] === 'string');
  return texts && Array.isArray(value['files']) && value['files'].every(isPackedFile);
}

function isPackedFile(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { path, size, sha256, mode } = value;
  return typeof path === 'string' && Number.isSafeInteger(size) && Number(size) >= 0 && /^[\da-f]{64}$/.test(String(sha256)) && (mode === '644' || mode === '755');
}
