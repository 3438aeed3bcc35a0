import { sign, verify, type KeyObject } from 'node:crypto';
import { isObject, parseJson } from '../../protocol/json.ts';
import { sha256 } from '../sha256.ts';
import { packRefusal } from './refusal.ts';
import { parsePublicKey, publicKeyOf } from './signing-key.ts';

/** What is signed is no other thing that a key may be asked to sign. */
const DOMAIN = Buffer.from('skillpack manifest, version 1\n');

interface Seal {
  /** SHA-256 of the manifest, in hex. */
  readonly manifest: string;
  readonly signer?: string;
  /** In hex. */
  readonly signature?: string;
}

/** The seal over a manifest: its digest and, where there is a key, the signature. */
export function sealBytes(manifest: Uint8Array, key?: KeyObject): Buffer {
  const digest = sha256(manifest);
  return textOf(key === undefined ? { manifest: digest } : { manifest: digest, signer: publicKeyOf(key), signature: sign(null, Buffer.concat([DOMAIN, manifest]), key).toString('hex') });
}

/** The public key that has signed the manifest, undefined where nobody has. Throws `skillpack_refused` for a seal that does not fit. */
export function verifySeal(seal: Uint8Array, manifest: Uint8Array): string | undefined {
  const value = parseJson(Buffer.from(seal).toString());
  if (!isSeal(value) || !textOf(value).equals(seal)) throw packRefusal('its seal was changed or cannot be read');
  if (value.manifest !== sha256(manifest)) throw packRefusal('its manifest is not the one that was sealed');
  if (value.signer === undefined && value.signature === undefined) return undefined;
  const key = parsePublicKey(value.signer ?? '');
  if (key === undefined || !/^[\da-f]{128}$/.test(value.signature ?? '')) throw packRefusal('its signature cannot be read');
  if (!verify(null, Buffer.concat([DOMAIN, manifest]), key, Buffer.from(value.signature ?? '', 'hex'))) throw packRefusal('its signature does not fit: it was changed, or signed by somebody else than it says');
  return value.signer;
}

function textOf({ manifest, signer, signature }: Seal): Buffer {
  return Buffer.from(`${JSON.stringify({ manifest, signer, signature }, null, 1)}\n`);
}

function isSeal(value: unknown): value is Seal {
  const optional = (field: unknown): boolean => field === undefined || typeof field === 'string';
  return isObject(value) && typeof value['manifest'] === 'string' && optional(value['signer']) && optional(value['signature']);
}
