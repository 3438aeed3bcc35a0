import fs from 'node:fs/promises';
import { localFiles } from '../../host/local-files.ts';
import { localTree } from '../../host/local-tree.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { addSigner, readSigners } from '../../skills/pack/known-signers.ts';
import { openSkillpack, type OpenedPack, type PackSigner } from '../../skills/pack/open-skillpack.ts';
import { identitiesIn } from '../../skills/pack/pack-encryption.ts';
import { rightsOfOthers } from '../../util/rights-of-others.ts';
import { oneLine, write } from '../terminal.ts';
import { asksYesOrNo, isTerminal } from '../yes-or-no.ts';

/** What the options of `addOpeningOptions` give. */
export interface OpeningFlags {
  readonly identity?: readonly string[];
  readonly passphraseFile?: string;
  /** A fingerprint (`SHA256:…`) or a public key (`ed25519:…`). */
  readonly trustSigner?: string;
  /** Nothing is asked or remembered. */
  readonly dryRun?: boolean;
}

/** Where a pack is opened. */
export interface OpeningPlace {
  /** An empty folder; the skill becomes one folder in it. */
  readonly to: string;
  /** The data folder, which knows the signers. */
  readonly data: string;
}

/**
 * Checks and unpacks a .skillpack. A signer that is not known is asked about on a terminal and remembered after a yes;
 * that nobody signed is said. Rejects as `openSkillpack` does.
 */
export async function openForPerson(file: string, flags: OpeningFlags, { to, data }: OpeningPlace): Promise<OpenedPack> {
  const identities = (await Promise.all((flags.identity ?? []).map((name) => textOf(name, 'The identity file')))).flatMap(identitiesIn);
  const passphrase = flags.passphraseFile === undefined ? undefined : await readPassphrase(flags.passphraseFile);
  const accept = (signer: PackSigner | undefined): Promise<boolean> => acceptSigner(file, signer, { flags, data });
  const tree = localTree();
  const opened = await openSkillpack(file, { tree, to, signers: readSigners(tree, data), identities, passphrase, accept });
  if (opened.signer === undefined) await write(process.stderr, `${oneLine(file)} is not signed: it is whole, but nobody says who made it.\n`);
  return opened;
}

/** The passphrase on the first line of a file. Rejects with `io`, and with `invalid_argument` where there is none. */
export async function readPassphrase(file: string): Promise<string> {
  const [line = ''] = (await textOf(file, 'The passphrase file')).split(/\r?\n/);
  if (line === '') throw new SkillmintError('invalid_argument', `The first line of ${file} holds no passphrase.`);
  return line;
}

async function acceptSigner(file: string, signer: PackSigner | undefined, { flags, data }: { readonly flags: OpeningFlags; readonly data: string }): Promise<boolean> {
  const { trustSigner: wanted, dryRun } = flags;
  if (wanted !== undefined) {
    if (signer === undefined || (wanted !== signer.fingerprint && wanted !== signer.publicKey)) throw new SkillmintError('skillpack_refused', `it is ${signer === undefined ? 'not signed at all' : `signed by ${signer.fingerprint}`}, not by ${wanted}.`);
    return dryRun || remember(signer, data);
  }
  if (signer === undefined || signer.name !== undefined) return true;
  if (dryRun) {
    await write(process.stderr, `${oneLine(file)} is signed by ${signer.fingerprint}, whom you do not know yet.\n`);
    return true;
  }
  if (!isTerminal()) throw new SkillmintError('skillpack_refused', `you do not know its signer yet. Compare the fingerprint with the one that they gave you, then say --trust-signer ${signer.fingerprint}`);
  await write(process.stdout, `${oneLine(file)} is signed by ${signer.fingerprint} (${signer.publicKey}), whom you do not know yet.\nThe signature says that nobody has changed it since, not that it does no harm.\n`);
  return (await asksYesOrNo('Accept this signer from now on?')) && remember(signer, data);
}

async function remember(signer: PackSigner, data: string): Promise<true> {
  if (signer.name !== undefined) return true;
  const name = await addSigner({ tree: localTree(), files: localFiles() }, data, signer.publicKey);
  await write(process.stderr, `${signer.fingerprint} is now known as ${name} in signers.json of the data folder.\n`);
  return true;
}

/** The text of a file with a secret. Rejects with `io`, and with `permission_denied` where other users can read it. */
async function textOf(file: string, what: string): Promise<string> {
  try {
    const text = await fs.readFile(file, 'utf8');
    // A pipe, as a shell makes it for `<(…)`, is this process's own.
    const tree = localTree();
    if (tree.stat(file).kind !== 'file' || !rightsOfOthers(tree, file).read) return text;
  } catch (error) {
    throw new SkillmintError('io', `${what} ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  throw new SkillmintError('permission_denied', `${what} ${file} can be read by other users. Close it to them first: chmod 600 ${file}`);
}
