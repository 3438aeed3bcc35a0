import { SkillmintError } from '../../protocol/errors.ts';

/** What bytes must hash to. */
export interface Integrity {
  readonly algorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  /** In base64. */
  readonly digest: string;
}

const BY_STRENGTH = ['sha512', 'sha384', 'sha256', 'sha1'] as const;

/** Reads `ALGORITHM-BASE64`, the strongest where several stand side by side; undefined when none is known. */
export function parseIntegrity(text: string): Integrity | undefined {
  const entries = text.trim().split(/\s+/).map((entry) => /^([a-z0-9]+)-([A-Za-z0-9+/]+={0,2})(?:\?|$)/.exec(entry));
  for (const algorithm of BY_STRENGTH) {
    const digest = entries.find((entry) => entry?.[1] === algorithm)?.[2];
    if (digest !== undefined) return { algorithm, digest };
  }
  return undefined;
}

/** The integrity that a lock file holds for `what`. Throws `install_refused` when it cannot be understood. */
export function pinnedIntegrity(text: string, what: string): Integrity {
  const integrity = parseIntegrity(text);
  if (integrity === undefined) throw new SkillmintError('install_refused', `${what} is tied to ${JSON.stringify(text)}, which is no known digest. Install it anew.`);
  return integrity;
}

/** A digest in hexadecimal digits as integrity; undefined when it is none of that algorithm. */
export function integrityOfHex(algorithm: 'sha1' | 'sha256', hex: string): Integrity | undefined {
  const length = algorithm === 'sha1' ? 40 : 64;
  return hex.length === length && /^[0-9a-f]+$/i.test(hex) ? { algorithm, digest: Buffer.from(hex, 'hex').toString('base64') } : undefined;
}

/** `ALGORITHM-BASE64`. */
export function integrityText({ algorithm, digest }: Integrity): string {
  return `${algorithm}-${digest}`;
}
