import fs from 'node:fs/promises';
import tls from 'node:tls';
import { SkillmintError, messageOf } from '../protocol/errors.ts';

/**
 * The certificates that count when `NODE_EXTRA_CA_CERTS` adds to them, each as PEM; nothing when it is not set.
 * Throws `config_invalid` when its file cannot be read.
 */
export async function extraCertificates(env: Readonly<Record<string, string | undefined>>): Promise<readonly string[] | undefined> {
  const file = env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined || file === '') return undefined;
  try {
    return [...tls.rootCertificates, await fs.readFile(file, 'utf8')];
  } catch (error) {
    throw new SkillmintError('config_invalid', `NODE_EXTRA_CA_CERTS names ${file}, which cannot be read: ${messageOf(error)}. Set it to a file with certificates, or clear it.`, { cause: error });
  }
}
