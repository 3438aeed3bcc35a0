import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { SkillmintError, messageOf, systemCode } from '../../protocol/errors.ts';

const LEAST_CHARS = 16;
const FILE = 'serve-token';
const FOR_OTHERS = 0o077;
/** The same, without that the group may read. */
const NOT_MOUNTED = 0o037;

/** The token of a server, and where it came from. */
export interface ServerToken {
  readonly token: string;
  /** A host application or a person has set it, so that it need not be printed. */
  readonly given: boolean;
}

/**
 * The token that lets in: of `SKILLMINT_TOKEN`, of the file that was named, or one that is made once and kept in the data folder.
 * @throws SkillmintError usage for one that is too short, config_unreadable for a file that cannot be read or that others can read
 */
export function serverToken({ env, tokenFile, dataFolder }: { readonly env: Readonly<Record<string, string | undefined>>; readonly tokenFile: string | undefined; readonly dataFolder: string }): ServerToken {
  const set = env['SKILLMINT_TOKEN'];
  if (tokenFile !== undefined) return { token: longEnough(readPrivate(tokenFile), tokenFile), given: true };
  if (set !== undefined && set !== '') return { token: longEnough(set, 'SKILLMINT_TOKEN'), given: true };
  const file = path.join(dataFolder, FILE);
  if (fs.existsSync(file)) return { token: longEnough(readPrivate(file), file), given: false };
  return { token: make(file), given: false };
}

function make(file: string): string {
  const token = randomBytes(32).toString('base64url');
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
    return token;
  } catch (error) {
    // Another server has made it at the same moment.
    if (systemCode(error) !== 'EEXIST') throw new SkillmintError('io', `The token cannot be kept in ${file}: ${messageOf(error)}`, { cause: error });
    return longEnough(readPrivate(file), file);
  }
}

function readPrivate(file: string): string {
  try {
    if (process.platform !== 'win32' && isForOthers(fs.statSync(file))) throw new SkillmintError('config_unreadable', `${file} holds the token of the server and can be read by others. Run: chmod 600 ${file}`);
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    throw new SkillmintError('config_unreadable', `The token file ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** A file of root's that the group of this process alone may read was mounted for it: secrets of containers come so. */
function isForOthers({ mode, uid, gid }: fs.Stats): boolean {
  const isMounted = uid === 0 && process.getuid?.() !== 0 && gid === process.getgid?.();
  return (mode & (isMounted ? NOT_MOUNTED : FOR_OTHERS)) !== 0;
}

function longEnough(token: string, from: string): string {
  if (token.length < LEAST_CHARS || /\s/.test(token)) throw new SkillmintError('usage', `The token of ${from} must have at least ${LEAST_CHARS} characters and no space.`);
  return token;
}
