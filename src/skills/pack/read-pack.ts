import { sha256 } from '../sha256.ts';
import { isEncrypted } from './pack-encryption.ts';
import { manifestEntry, sealEntry, tarEntry } from './pack-layout.ts';
import { parseManifest, type PackedFile, type PackManifest } from './pack-manifest.ts';
import { verifySeal } from './pack-seal.ts';
import { packRefusal } from './refusal.ts';
import { paddedSize, sizeInHeader, TAR_END, tarHeader, type TarEntry } from './tar-blocks.ts';

/** The content of a skillpack, every byte of it checked. */
export interface PackContent {
  readonly manifest: PackManifest;
  /** Public key of whoever signed it. */
  readonly signer: string | undefined;
  readonly files: readonly (PackedFile & { readonly bytes: Uint8Array })[];
}

/**
 * Reads a pack. Since there is one form for each content, what follows from the manifest is compared byte for byte and nothing
 * is guessed: a changed byte anywhere throws `skillpack_refused`.
 */
export function readPack(bytes: Uint8Array): PackContent {
  if (!startsWithManifest(bytes)) throw packRefusal('it is no skillpack, or its beginning was changed');
  const read = reader(bytes);
  const head = read.sized(manifestEntry, 'its manifest');
  const seal = read.sized(sealEntry, 'its seal');
  const manifest = parseManifest(head);
  const signer = verifySeal(seal, head);
  const files = manifest.files.map((file) => ({ ...file, bytes: read.exactly(tarEntry({ path: file.path, size: file.size, executable: file.mode === '755' }), `its file ${JSON.stringify(file.path)}`) }));
  const changed = files.find((file) => sha256(file.bytes) !== file.sha256);
  if (changed) throw packRefusal(`its file ${JSON.stringify(changed.path)} was changed`);
  read.end();
  return { manifest, signer, files };
}

/** True for the first 100 bytes, or more, of what claims to be a skillpack, encrypted or not. */
export function startsAsPack(bytes: Uint8Array): boolean {
  return isEncrypted(bytes) || startsWithManifest(bytes);
}

function startsWithManifest(bytes: Uint8Array): boolean {
  return Buffer.compare(tarHeader(manifestEntry(0)).subarray(0, 100), bytes.subarray(0, 100)) === 0;
}

interface Reader {
  /** Content of an entry whose size only its header tells. */
  sized(entryOf: (size: number) => TarEntry, what: string): Uint8Array;
  exactly(entry: TarEntry, what: string): Uint8Array;
  end(): void;
}

function reader(bytes: Uint8Array): Reader {
  let at = 0;
  const take = (length: number, what: string): Uint8Array => {
    if (at + length > bytes.length) throw packRefusal(`it ends in the middle of ${what}`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  const exactly = (entry: TarEntry, what: string): Uint8Array => {
    const header = tarHeader(entry);
    if (Buffer.compare(header, take(header.length, what)) !== 0) throw packRefusal(`the header of ${what} was changed`);
    const content = take(entry.size, what);
    if (take(paddedSize(entry.size) - entry.size, what).some((byte) => byte !== 0)) throw packRefusal(`what follows ${what} was changed`);
    return content;
  };
  return {
    exactly,
    sized(entryOf, what) {
      const size = sizeInHeader(bytes, at);
      if (size === undefined) throw packRefusal(`the header of ${what} was changed`);
      return exactly(entryOf(size), what);
    },
    end() {
      if (Buffer.compare(TAR_END, bytes.subarray(at)) !== 0) throw packRefusal('its end was changed');
    },
  };
}
