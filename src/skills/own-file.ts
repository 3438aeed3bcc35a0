import type { ReadTree } from '../host/host.ts';
import { messageOf, SkillmintError, systemCode, type ErrorCode } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';
import { rightsOfOthers } from '../util/rights-of-others.ts';

/** A JSON file that skillmint writes and that a person may have touched. */
export interface OwnFile {
  readonly file: string;
  /** What it is, at the beginning of a sentence: `The lock file`. */
  readonly what: string;
  /** The number that its field `version` has to have. */
  readonly version: number;
  readonly codes: { readonly unreadable: ErrorCode; readonly invalid: ErrorCode };
  /** What to do about a file that is broken, as a sentence. */
  readonly mend: string;
  /** It gives rights: where other users of the machine could have written it, it is refused. */
  readonly givesRights?: true;
}

/** What reading such a file takes. */
export type OwnFileTree = Pick<ReadTree, 'read' | 'stat' | 'realPath'>;

/** The object in such a file; undefined where there is none. Throws its codes for one that cannot be read or understood: it is never taken for an empty one. */
export function readOwnFile(tree: OwnFileTree, own: OwnFile): Readonly<Record<string, unknown>> | undefined {
  const text = textOf(tree, own);
  if (text === undefined) return undefined;
  if (own.givesRights) refuseOpen(tree, own);
  const value = parsed(own, text);
  if (!isObject(value)) throw ownFileFault(own, 'holds no JSON object');
  const { version } = value;
  if (typeof version === 'number' && version > own.version) throw new SkillmintError(own.codes.invalid, `${own.what} ${own.file} has version ${version}, which a newer skillmint has written; this one reads version ${own.version}. Update skillmint.`);
  if (version !== own.version) throw ownFileFault(own, `has no "version": ${own.version}`);
  return value;
}

/** The error for a file that cannot be understood; `why` follows its name. */
export function ownFileFault({ what, file, codes, mend }: OwnFile, why: string, cause?: unknown): SkillmintError {
  return new SkillmintError(codes.invalid, `${what} ${file} ${why}. ${mend}`, { cause });
}

function refuseOpen(tree: OwnFileTree, { what, file, codes }: OwnFile): void {
  const { write } = rightsOfOthers(tree, file);
  if (write) throw new SkillmintError(codes.unreadable, `${what} ${file} can be changed by other users, so it is not used. Look at what it says, then: ${write.by === file ? `chmod 600 ${file}` : `chmod go-w ${write.by}`}`);
}

function textOf(tree: Pick<ReadTree, 'read'>, { what, file, codes }: OwnFile): string | undefined {
  try {
    return Buffer.from(tree.read(file)).toString();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new SkillmintError(codes.unreadable, `${what} ${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

function parsed(own: OwnFile, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw ownFileFault(own, `is no JSON: ${messageOf(error)}`, error);
  }
}
