import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { digestSkill } from '../digest.ts';
import type { KnownSigners } from './known-signers.ts';
import { decryptPack, isEncrypted, type PackUnlock } from './pack-encryption.ts';
import { PACK_LIMITS } from './pack-limits.ts';
import type { PackManifest } from './pack-manifest.ts';
import { pathFault } from './pack-path.ts';
import { readPack, type PackContent } from './read-pack.ts';
import { packRefusal } from './refusal.ts';
import { fingerprint } from './signing-key.ts';

/** Whoever signed a pack. */
export interface PackSigner {
  /** `ed25519:` and 64 hex digits. */
  readonly publicKey: string;
  /** Short form of the key to compare by eye. */
  readonly fingerprint: string;
  /** What the person calls them; undefined for one they do not know. */
  readonly name: string | undefined;
}

/** A pack that was checked and unpacked. */
export interface OpenedPack {
  /** The skill's folder: one folder in `to`. */
  readonly folder: string;
  readonly manifest: PackManifest;
  /** Undefined when nobody signed it. */
  readonly signer: PackSigner | undefined;
  readonly encrypted: boolean;
}

/** How a pack is opened. */
export interface OpenPackOptions extends PackUnlock {
  readonly tree: ReadTree;
  /** An empty folder. */
  readonly to: string;
  readonly signers: KnownSigners;
  /** Asked before anything is written, for every pack: whether this signer, or none, will do. False refuses the pack. */
  readonly accept: (signer: PackSigner | undefined, manifest: PackManifest) => Promise<boolean>;
}

/**
 * Checks a skillpack as a whole and unpacks it; nothing of it runs. Rejects with `skillpack_refused` for a pack that was
 * changed, cannot be decrypted, is too large or whose signer is not accepted, and with `io`. Nothing is left behind then.
 */
export async function openSkillpack(file: string, { tree, to, signers, accept, ...unlock }: OpenPackOptions): Promise<OpenedPack> {
  try {
    const bytes = await readWhole(file);
    const encrypted = isEncrypted(bytes);
    const content = readPack(encrypted ? await decryptPack(bytes, unlock) : bytes);
    const signer = signerOf(content, signers);
    if (!(await accept(signer, content.manifest))) throw packRefusal(signer === undefined ? 'nobody has signed it' : `you do not know its signer, ${signer.fingerprint}`);
    return { folder: await unpack(tree, to, content), manifest: content.manifest, signer, encrypted };
  } catch (error) {
    if (!(error instanceof SkillmintError) || error.code !== 'skillpack_refused') throw error;
    throw packRefusal(`${file} is refused: ${error.message}`, error);
  }
}

async function readWhole(file: string): Promise<Uint8Array> {
  try {
    const { size } = await fs.stat(file);
    if (size <= PACK_LIMITS.packBytes * 1.01) return await fs.readFile(file);
    throw packRefusal(`it has ${size} bytes; ${PACK_LIMITS.packBytes} are the limit`);
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error));
    throw new SkillmintError(missing ? 'not_found' : 'io', missing ? `${file} does not exist.` : `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function signerOf({ signer }: PackContent, signers: KnownSigners): PackSigner | undefined {
  if (signer === undefined) return undefined;
  const name = [...signers].find(([, key]) => key === signer)?.[0];
  return { publicKey: signer, fingerprint: fingerprint(signer), name };
}

async function unpack(tree: ReadTree, to: string, { manifest, files }: PackContent): Promise<string> {
  const folder = path.join(to, folderName(manifest.name));
  try {
    await fs.mkdir(folder);
    for (const file of files) {
      const target = path.join(folder, ...file.path.split('/'));
      await fs.mkdir(path.dirname(target), { recursive: true });
      await fs.writeFile(target, file.bytes, { flag: 'wx', mode: file.mode === '755' ? 0o755 : 0o644 });
    }
    if (digestSkill(tree, folder).digest !== manifest.digest) throw packRefusal('its files have another digest than it says');
    return folder;
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    throw error instanceof SkillmintError ? error : new SkillmintError('io', `the skillpack cannot be unpacked into ${to}: ${messageOf(error)}`, { cause: error });
  }
}

/** The skill's name where that is the name of a folder. */
function folderName(name: string): string {
  return name.includes('/') || name.startsWith('.') || pathFault(name) !== undefined ? 'skill' : name;
}
