import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { SkillmintError } from '../../protocol/errors.ts';

/** 2^15 blocks of 1 KiB: about 100 ms and 32 MiB for one password. */
const COST = { N: 32_768, r: 8, p: 1, maxmem: 67_108_864 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const LEAST_CHARS = 10;
const MOST_CHARS = 1_000;
/** For names that nobody has: its work takes as long as that of a real one, and no password fits. */
const NOBODY: PasswordHash = { salt: Buffer.alloc(SALT_BYTES).toString('base64'), key: '' };

/** What is kept of a password; both base64. */
export interface PasswordHash {
  readonly salt: string;
  readonly key: string;
}

/** @throws SkillmintError usage for a password that is too short or too long */
export function checkPassword(password: string): string {
  if (password.length >= LEAST_CHARS && password.length <= MOST_CHARS) return password;
  throw new SkillmintError('usage', `A password has ${LEAST_CHARS} to ${MOST_CHARS} characters; this one has ${password.length}.`);
}

/** What is to be kept of a password. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  return { salt: salt.toString('base64'), key: (await derive(password, salt)).toString('base64') };
}

/** True when the password is that of the hash. Without one it takes as long, and is false. */
export async function isPassword(password: string, hash: PasswordHash = NOBODY): Promise<boolean> {
  const [given, kept] = [await derive(password, Buffer.from(hash.salt, 'base64')), Buffer.from(hash.key, 'base64')];
  return kept.byteLength === given.byteLength && timingSafeEqual(given, kept);
}

/** What is kept of a token. It is random, so that no slow hash is needed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => scrypt(password.normalize('NFC'), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key))));
}
