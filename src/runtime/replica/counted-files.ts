import path from 'node:path';
import { WORK_FOLDER } from '../../skills/discover/skill-root.ts';

/** Which files of a folder are shared. */
export interface Counted {
  /** Folders and files directly in it. */
  readonly tops: readonly string[];
}

/** What of a data folder all workers have: the rest is of one machine (caches, locks, logs) or lies in tables of its own (sessions). */
export const DATA_FILES: Counted = {
  tops: ['skills', 'memory', 'agents', 'AGENTS.md', 'config.json', 'trust.json', 'signers.json', 'mcp-servers.json', 'mcp-logins.json', 'users.json', 'serve-token'],
};

/** True for a name that stands for something under way, not for something that is there. */
export function isPassingName(name: string): boolean {
  return name === WORK_FOLDER || (name.startsWith('.skillmint-') && name.endsWith('.tmp')) || name.endsWith('.json.lock');
}

/** True for a path that may be written below the folder: a plain one of what is shared. */
export function isCounted({ tops }: Counted, file: string): boolean {
  const parts = file.split('/');
  return tops.includes(parts[0] ?? '') && parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\0\\]/.test(part) && !isPassingName(part));
}

/** What changes as one: a skill with all its files, or a file. */
export function unitOf(file: string): string {
  const [top = '', name, ...rest] = file.split('/');
  return top === 'skills' && name !== undefined && rest.length > 0 ? `${top}/${name}` : file;
}

/** True where a link may lead to: something within the same unit. */
export function isInnerLink(file: string, target: string): boolean {
  const unit = unitOf(file);
  return unit !== file && target !== '' && !target.includes('\0') && !path.posix.isAbsolute(target) && path.posix.join(path.posix.dirname(file), target).startsWith(`${unit}/`);
}
