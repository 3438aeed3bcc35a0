import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { packRefusal } from './refusal.ts';

const AGE = 'age-encryption.org/v1\n';
/** Two to this power blocks of 1 KiB are worked through for a passphrase; more would take a gigabyte of memory. */
const MOST_WORK = 18;

/** For whom a pack is encrypted: age recipients (`age1…`) or everybody with a passphrase. */
export type PackReaders = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** What a pack can be decrypted with. */
export interface PackUnlock {
  /** `AGE-SECRET-KEY-1…` */
  readonly identities: readonly string[];
  readonly passphrase?: string | undefined;
}

/** True for what age has encrypted. */
export function isEncrypted(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, AGE.length)).toString('latin1') === AGE;
}

/** Encrypts with age. Rejects with `invalid_argument` for a recipient that is none. */
export async function encryptPack(bytes: Uint8Array, readers: PackReaders): Promise<Uint8Array> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  if ('passphrase' in readers) encrypter.setPassphrase(readers.passphrase);
  else for (const recipient of readers.recipients) addTo(recipient, 'a recipient (age1…)', (text) => encrypter.addRecipient(text));
  return encrypter.encrypt(bytes);
}

/** Decrypts with age. Rejects with `skillpack_refused` when nothing fits or a byte was changed, with `invalid_argument` for an identity that is none. */
export async function decryptPack(bytes: Uint8Array, { identities, passphrase }: PackUnlock): Promise<Uint8Array> {
  const work = /^-> scrypt \S+ (\d+)$/m.exec(Buffer.from(bytes.subarray(0, 1_000)).toString('latin1'))?.[1];
  const forPassphrase = work !== undefined;
  if (Number(work ?? 0) > MOST_WORK) throw packRefusal(`its passphrase asks for more work than is reasonable (${work}; ${MOST_WORK} is the limit)`);
  if (forPassphrase && passphrase === undefined) throw packRefusal('it is encrypted with a passphrase. Give it with --passphrase-file FILE');
  if (!forPassphrase && identities.length === 0) throw packRefusal('it is encrypted for certain recipients. Give your age identity with --identity FILE');
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  if (forPassphrase && passphrase !== undefined) decrypter.addPassphrase(passphrase);
  else for (const identity of identities) addTo(identity, 'an age identity (AGE-SECRET-KEY-1…)', (text) => decrypter.addIdentity(text));
  try {
    return await decrypter.decrypt(bytes);
  } catch (error) {
    const noMatch = messageOf(error).startsWith('no identity matched');
    if (!noMatch) throw packRefusal(`it cannot be decrypted, so it was changed: ${messageOf(error)}`, error);
    throw packRefusal(forPassphrase ? 'the passphrase is not the one that it was encrypted with' : 'it is encrypted for others: none of your identities is one of its recipients', error);
  }
}

/** Makes an age identity: the secret text, and the recipient that others encrypt for. */
export async function makeIdentity(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const { generateIdentity, identityToRecipient } = await import('age-encryption');
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The identities in a file of age's form: one a line, `#` begins a comment. */
export function identitiesIn(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

/** The message of the package could repeat the secret, so it is left out. */
function addTo(text: string, what: string, add: (text: string) => void): void {
  try {
    add(text);
  } catch (error) {
    throw new SkillmintError('invalid_argument', `${text.startsWith('AGE-') ? 'A line of the identity file' : JSON.stringify(text.slice(0, 80))} is not ${what}.`, { cause: error });
  }
}
