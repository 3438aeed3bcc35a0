import path from 'node:path';
import { isObject } from '../../protocol/json.ts';
import { ownFileFault, readOwnFile, type OwnFile, type OwnFileTree } from '../own-file.ts';

/** Name of the file in the data folder. */
const TRUST_FILE = 'trust.json';
const VERSION = 1;

/** What a skill could do when a person trusted it, as lines of text by kind; compared and shown, never obeyed. */
export type TrustClaims = Readonly<Record<string, readonly string[]>>;

/** A skill that a person trusts, at the place where it was then. */
export interface TrustedSkill {
  readonly id: string;
  /** Real path. */
  readonly folder: string;
  /** Newest first. */
  readonly digests: readonly string[];
  /** When the newest was trusted, in the form of ISO 8601. */
  readonly trustedAt: string;
  /** Path → SHA-256 in hex of each file at the newest digest. */
  readonly files: Readonly<Record<string, string>>;
  /** Of the newest digest. */
  readonly claims: TrustClaims;
}

/** Where the trusted digests of a data folder lie. */
export function trustFile(dataFolder: string): string {
  return path.join(dataFolder, TRUST_FILE);
}

/** What stands in the file; nothing when there is none. Throws `config_unreadable` or `config_invalid` for one that cannot be read or understood, or that other users can change. */
export function readTrust(tree: OwnFileTree, file: string): readonly TrustedSkill[] {
  const own: OwnFile = { file, what: 'The list of trusted skills', version: VERSION, codes: { unreadable: 'config_unreadable', invalid: 'config_invalid' }, mend: 'Mend it, or move it away to be asked again for every skill.', givesRights: true };
  const value = readOwnFile(tree, own);
  if (value === undefined) return [];
  const { skills } = value;
  if (!Array.isArray(skills)) throw ownFileFault(own, 'has no list "skills"');
  return skills.map((skill: unknown, i) => {
    if (!isTrustedSkill(skill)) throw ownFileFault(own, `has an entry that is no trusted skill (number ${i + 1} of "skills")`);
    return skill;
  });
}

/** The text of a file with these skills. */
export function trustText(skills: readonly TrustedSkill[]): string {
  return `${JSON.stringify({ version: VERSION, skills }, null, 1)}\n`;
}

function isTrustedSkill(value: unknown): value is TrustedSkill {
  return (
    isObject(value) &&
    ['id', 'folder', 'trustedAt'].every((key) => typeof value[key] === 'string') &&
    isTexts(value['digests']) &&
    isObject(value['files']) &&
    isTexts(Object.values(value['files'])) &&
    isObject(value['claims']) &&
    Object.values(value['claims']).every(isTexts)
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
