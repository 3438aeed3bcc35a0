import fs from 'node:fs/promises';
import path from 'node:path';
import { withFileLock } from '../../host/file-lock.ts';
import type { HostFiles } from '../../host/host.ts';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { isObject, parseJson } from '../../protocol/json.ts';
import { parsePublicKey } from './signing-key.ts';

const VERSION = 1;

/** Public keys by the name that the person gives them. */
export type KnownSigners = ReadonlyMap<string, string>;

/** Where the known signers of a data folder lie. */
export function signersFile(dataFolder: string): string {
  return path.join(dataFolder, 'signers.json');
}

/** Reads the signers that a person trusts; none where there is no file. Rejects with `config_unreadable` or `config_invalid`, never taking a broken file for an empty one. */
export async function readSigners(dataFolder: string): Promise<KnownSigners> {
  const file = signersFile(dataFolder);
  const text = await textOf(file);
  return text === undefined ? new Map() : parseSigners(file, text);
}

/** Adds a signer, whose name is made from the key; the person may change it in the file. Resolves to the name. Rejects as `readSigners` does. */
export async function addSigner(files: Pick<HostFiles, 'write'>, dataFolder: string, publicKey: string): Promise<string> {
  const file = signersFile(dataFolder);
  const name = `signer-${publicKey.replace('ed25519:', '').slice(0, 16)}`;
  await withFileLock(file, async () => {
    const signers = new Map(await readSigners(dataFolder)).set(name, publicKey);
    await files.write(file, `${JSON.stringify({ version: VERSION, signers: Object.fromEntries(signers) }, null, 2)}\n`, { mode: 0o600, folderMode: 0o700 });
  });
  return name;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new SkillmintError('config_unreadable', `cannot read ${file}, which names the signers of skillpacks that you trust: ${messageOf(error)}`, { cause: error });
  }
}

function parseSigners(file: string, text: string): KnownSigners {
  const invalid = (what: string): SkillmintError => new SkillmintError('config_invalid', `${file}, which names the signers of skillpacks that you trust, ${what}; mend it, or move it away to be asked again`);
  const value = parseJson(text);
  if (!isObject(value)) throw invalid('holds no JSON object');
  if (typeof value['version'] === 'number' && value['version'] > VERSION) throw new SkillmintError('config_invalid', `${file} was written by a newer version of skillmint (its version is ${value['version']}, this program knows ${VERSION}); update skillmint`);
  if (value['version'] !== VERSION || !isObject(value['signers'])) throw invalid(`has no version ${VERSION} or no "signers"`);
  return new Map(Object.entries(value['signers']).map(([name, key]) => {
    if (typeof key !== 'string' || parsePublicKey(key) === undefined) throw invalid(`gives ${JSON.stringify(name)} no public key (ed25519: and 64 hex digits)`);
    return [name, key];
  }));
}
