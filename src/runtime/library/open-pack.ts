import { localTree } from '../../host/local-tree.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { readSigners } from '../../skills/pack/known-signers.ts';
import { openSkillpack, type OpenedPack, type PackSigner } from '../../skills/pack/open-skillpack.ts';

/**
 * Checks and unpacks a .skillpack where nobody can be asked: unsigned, or signed by somebody who is known or was named.
 * `signer`: fingerprint or public key of the one that is expected.
 * @throws SkillmintError skillpack_refused, and as `openSkillpack` does
 */
export function openPackUnasked(file: string, { to, data, signer }: { readonly to: string; readonly data: string; readonly signer: string | undefined }): Promise<OpenedPack> {
  const tree = localTree();
  const accept = async (found: PackSigner | undefined): Promise<boolean> => {
    if (signer === undefined && (found === undefined || found.name !== undefined)) return true;
    if (found !== undefined && signer !== undefined && (signer === found.fingerprint || signer === found.publicKey)) return true;
    throw new SkillmintError('skillpack_refused', found === undefined ? 'The skillpack is not signed at all.' : `The skillpack is signed by ${found.fingerprint}, who is not known here. If you trust them, say so with trust_signer.`);
  };
  return openSkillpack(file, { tree, to, signers: readSigners(tree, data), identities: [], passphrase: undefined, accept });
}
