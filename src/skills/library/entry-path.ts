import { LIMITS } from './limits.ts';
import { refusal, shown } from './refusal.ts';

/** Names that Windows keeps for devices, with or without an ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
/** Control characters, line separators, and what turns the direction of writing or cannot be seen. The two joiners are letters of some scripts. */
const DECEIVING = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** Files that systems and programs leave behind; they are no part of a skill. */
const LEFT_OUT = new Set(['.git', '__macosx', '.ds_store', 'thumbs.db', 'desktop.ini']);

/** A path inside a source, taken apart and known to be harmless. */
export interface EntryPath {
  readonly segments: readonly string[];
  /** With `/`. */
  readonly path: string;
  /** It lies in a folder, or is a file, that is not taken over. */
  readonly leftOut: boolean;
  /** The source says that it is a folder: the path ends in `/`. */
  readonly isFolder: boolean;
}

/** Takes the path of an entry apart. Throws `install_refused` for one that leads out, deceives, or does not exist on every system. */
export function checkEntryPath(name: string): EntryPath {
  const refuse = (why: string): Error => refusal(`the path ${shown(name)} ${why}`);
  if (name === '') throw refusal('an entry has no name');
  if (name.includes('\0')) throw refuse('holds a NUL character');
  if (name.includes('\\')) throw refuse('holds a backslash');
  if (name.startsWith('/')) throw refuse('is absolute');
  if (/^[A-Za-z]:/.test(name)) throw refuse('starts with a drive letter');
  const isFolder = name.endsWith('/');
  const segments = name.replace(/^(?:\.\/)+/, '').replace(/\/$/, '').split('/');
  if (segments.includes('..')) throw refuse('leads upward with ".."');
  if (isFolder && segments.length === 1 && (segments[0] === '' || segments[0] === '.')) return { segments: [], path: '', leftOut: false, isFolder };
  const fault = segments.map(nameFault).find((why) => why !== undefined);
  if (fault !== undefined) throw refuse(fault);
  if (segments.length > LIMITS.depth) throw refuse(`is more than ${LIMITS.depth} levels deep`);
  if (Buffer.byteLength(name) > LIMITS.pathBytes) throw refuse(`is longer than ${LIMITS.pathBytes} bytes`);
  return { segments, path: segments.join('/'), leftOut: segments.some((segment) => isLeftOut(segment)), isFolder };
}

/** True for a file or folder that is never taken over. */
export function isLeftOut(segment: string): boolean {
  return LEFT_OUT.has(segment.toLowerCase());
}

/** Why a name in a path deceives or does not exist on every system, as a clause; undefined for one that is harmless. */
export function nameFault(name: string): string | undefined {
  if (DECEIVING.test(name)) return 'holds control or invisible characters';
  if (name === '' || name === '.') return 'holds an empty name';
  if (Buffer.byteLength(name) > LIMITS.nameBytes) return `holds a name of more than ${LIMITS.nameBytes} bytes`;
  if (name.includes(':')) return 'holds a colon, which Windows gives another meaning';
  if (/[. ]$/.test(name)) return 'holds a name that ends with a full stop or a space, which Windows drops';
  if (DEVICE.test(name)) return 'holds a name that Windows keeps for a device';
  return undefined;
}
