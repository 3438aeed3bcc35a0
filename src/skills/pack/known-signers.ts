import path from 'node:path';
import { withFileLock } from '../../host/file-lock.ts';
import type { HostFiles } from '../../host/host.ts';
import { isObject } from '../../protocol/json.ts';
import { ownFileFault, readOwnFile, type OwnFile, type OwnFileTree } from '../own-file.ts';
import { parsePublicKey } from './signing-key.ts';

const VERSION = 1;

/** Public keys by the name that the person gives them. */
export type KnownSigners = ReadonlyMap<string, string>;

/** The signers that a person trusts; none where there is no file. Throws `config_unreadable` or `config_invalid` for one that cannot be read or understood. */
export function readSigners(tree: OwnFileTree, dataFolder: string): KnownSigners {
  const own: OwnFile = { file: signersFile(dataFolder), what: 'The list of known signers', version: VERSION, codes: { unreadable: 'config_unreadable', invalid: 'config_invalid' }, mend: 'Mend it, or move it away to be asked again.', givesRights: true };
  const value = readOwnFile(tree, own);
  if (value === undefined) return new Map();
  if (!isObject(value['signers'])) throw ownFileFault(own, 'has no "signers"');
  return new Map(Object.entries(value['signers']).map(([name, key]) => {
    if (typeof key !== 'string' || parsePublicKey(key) === undefined) throw ownFileFault(own, `gives ${JSON.stringify(name)} no public key (ed25519: and 64 hex digits)`);
    return [name, key];
  }));
}

/** Adds a signer, whose name is made from the key; the person may change it in the file. Resolves to the name. Rejects with what `readSigners` throws, and with what writing throws. */
export async function addSigner({ tree, files }: { readonly tree: OwnFileTree; readonly files: Pick<HostFiles, 'write'> }, dataFolder: string, publicKey: string): Promise<string> {
  const file = signersFile(dataFolder);
  const name = `signer-${publicKey.replace('ed25519:', '').slice(0, 16)}`;
  await withFileLock(file, async () => {
    const signers = new Map(readSigners(tree, dataFolder)).set(name, publicKey);
    await files.write(file, `${JSON.stringify({ version: VERSION, signers: Object.fromEntries(signers) }, null, 2)}\n`, { mode: 0o600, folderMode: 0o700 });
  });
  return name;
}

function signersFile(dataFolder: string): string {
  return path.join(dataFolder, 'signers.json');
}
