import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import fs from 'node:fs/promises';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';

/** Before the 32 bytes of an Ed25519 key in the form that Node reads (SubjectPublicKeyInfo). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const PUBLIC_KEY = /^ed25519:[\da-f]{64}$/;

/** Makes a key pair to sign with; the file is PEM (PKCS #8), for its owner only, and must not be there yet. Resolves to the public key. */
export async function makeSigningKey(file: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeSecret(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return publicKeyOf(privateKey);
}

/** Writes a secret into a new file that only its owner can read. Rejects with `io`, also for a file that is there. */
export async function writeSecret(file: string, text: string | Buffer): Promise<void> {
  try {
    await fs.writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const there = systemCode(error) === 'EEXIST';
    throw new SkillmintError('io', there ? `${file} is already there and was not changed. Name a new file.` : `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Reads a key to sign with. Rejects with `io`, with `permission_denied` for a file that others can read, with `invalid_argument` for one that holds no such key. */
export async function readSigningKey(file: string): Promise<KeyObject> {
  const { text, mode } = await readKeyFile(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw new SkillmintError('permission_denied', `Others can read the key in ${file}. Close it to them first: chmod 600 ${file}`);
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new SkillmintError('invalid_argument', `${file} holds no key to sign with: ${messageOf(error)}. Make one: skillmint skills pack --new-key FILE`, { cause: error });
  }
  throw new SkillmintError('invalid_argument', `${file} holds a key of another kind than Ed25519. Make one: skillmint skills pack --new-key FILE`);
}

/** The public half as text: `ed25519:` and 64 hex digits. */
export function publicKeyOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return `ed25519:${der.subarray(SPKI_HEAD.length).toString('hex')}`;
}

/** The key that a text stands for; undefined where it is none. */
export function parsePublicKey(text: string): KeyObject | undefined {
  if (!PUBLIC_KEY.test(text)) return undefined;
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, Buffer.from(text.slice('ed25519:'.length), 'hex')]), format: 'der', type: 'spki' });
}

/** Short name of a public key to compare by eye: `SHA256:` and 43 characters. */
export function fingerprint(publicKey: string): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64url')}`;
}

async function readKeyFile(file: string): Promise<{ readonly text: string; readonly mode: number }> {
  try {
    return { text: await fs.readFile(file, 'utf8'), mode: (await fs.stat(file)).mode };
  } catch (error) {
    throw new SkillmintError('io', `The key in ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
