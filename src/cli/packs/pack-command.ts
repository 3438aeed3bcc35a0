import fs from 'node:fs/promises';
import path from 'node:path';
import { localFiles } from '../../host/local-files.ts';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { makePack, type MadePack } from '../../skills/pack/make-pack.ts';
import { encryptPack, makeIdentity, type PackReaders } from '../../skills/pack/pack-encryption.ts';
import { fingerprint, makeSigningKey, publicKeyOf, readSigningKey, writeSecret } from '../../skills/pack/signing-key.ts';
import { namedSkillOrFolder } from '../../runtime/library/named-skill.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { readPassphrase } from './open-for-person.ts';

/** What `skillmint skills pack` can be told. */
export interface PackFlags {
  readonly out?: string;
  readonly force?: boolean;
  readonly sign?: string;
  readonly recipient?: readonly string[];
  readonly passphraseFile?: string;
  readonly newKey?: string;
  readonly newIdentity?: string;
  readonly json?: boolean;
}

/** `skillmint skills pack`. */
export async function packSkill(name: string | undefined, flags: PackFlags): Promise<void> {
  if (flags.newKey !== undefined) return newKey(flags.newKey, flags);
  if (flags.newIdentity !== undefined) return newIdentity(flags.newIdentity, flags);
  if (name === undefined) throw new SkillmintError('usage', 'Name a skill or its folder. See: skillmint skills pack --help');
  const readers = await readersOf(flags);
  const key = flags.sign === undefined ? undefined : await readSigningKey(flags.sign);
  const here = await skillsHere();
  const skill = await namedSkillOrFolder(here, name);
  const made = await makePack(here.tree, { folder: skill.folder, file: skill.path }, key);
  const bytes = readers === undefined ? made.bytes : await encryptPack(made.bytes, readers);
  const file = path.resolve(flags.out ?? `${fileName(made.manifest.name)}.skillpack`);
  await writePack(file, bytes, flags);
  await tell(file, made, { size: bytes.length, encrypted: readers !== undefined, signer: key && publicKeyOf(key) }, flags);
}

async function newKey(file: string, { json }: PackFlags): Promise<void> {
  const publicKey = await makeSigningKey(path.resolve(file));
  const print = fingerprint(publicKey);
  if (json) return printJson({ file: path.resolve(file), publicKey, fingerprint: print });
  await write(process.stdout, `${publicKey}\n`);
  await write(process.stderr, `The key to sign with is in ${oneLine(file)}; keep it to yourself. Give the line above, or its fingerprint ${print}, to those who get your packs.\n`);
}

async function newIdentity(file: string, { json }: PackFlags): Promise<void> {
  const { identity, recipient } = await makeIdentity();
  await writeSecret(path.resolve(file), `# recipient: ${recipient}\n${identity}\n`);
  if (json) return printJson({ file: path.resolve(file), recipient });
  await write(process.stdout, `${recipient}\n`);
  await write(process.stderr, `The identity to decrypt with is in ${oneLine(file)}; keep it to yourself. Give the line above to those who pack for you.\n`);
}

async function readersOf({ recipient = [], passphraseFile }: PackFlags): Promise<PackReaders | undefined> {
  if (recipient.length > 0 && passphraseFile !== undefined) throw new SkillmintError('usage', 'A pack is encrypted either for recipients or with a passphrase: leave --recipient or --passphrase-file out.');
  if (passphraseFile !== undefined) return { passphrase: await readPassphrase(passphraseFile) };
  return recipient.length > 0 ? { recipients: recipient } : undefined;
}

/** A name may hold what a file's cannot. */
function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '').slice(0, 100) || 'skill';
}

async function writePack(file: string, bytes: Uint8Array, { force }: PackFlags): Promise<void> {
  try {
    if (force) await localFiles().write(file, bytes);
    else await fs.writeFile(file, bytes, { flag: 'wx' });
  } catch (error) {
    const there = systemCode(error) === 'EEXIST';
    throw new SkillmintError(there ? 'skillpack_refused' : 'io', there ? `${file} is already there and was not changed. Name another file with --out, or say --force.` : `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

interface PackFacts {
  /** Bytes. */
  readonly size: number;
  readonly encrypted: boolean;
  readonly signer: string | undefined;
}

async function tell(file: string, { manifest }: MadePack, { size, encrypted, signer }: PackFacts, { json }: PackFlags): Promise<void> {
  const { name, digest, files } = manifest;
  if (json) return printJson({ file, name, digest, files: files.length, size, encrypted, signer: signer === undefined ? null : { publicKey: signer, fingerprint: fingerprint(signer) } });
  await write(process.stdout, `${oneLine(file)}\n`);
  await write(process.stderr, `${oneLine(name)}: ${files.length} ${files.length === 1 ? 'file' : 'files'}, ${size} bytes, ${signer === undefined ? 'not signed' : `signed by ${fingerprint(signer)}`}, ${encrypted ? 'encrypted' : 'not encrypted'}.\n`);
}
