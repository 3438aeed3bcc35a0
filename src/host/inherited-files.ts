import fs from 'node:fs';
import type { StdioOptions } from 'node:child_process';
import { systemCode } from '../protocol/errors.ts';

const OPEN_FILES = '/proc/self/fdinfo';
/** Files with this flag are closed in programs that are started; Node sets it on all of its own. */
const CLOSED_ON_START = 0o2000000;
const USUAL = 3;

/**
 * Makes what keeps open files of whoever started this program from the commands that it starts: one of a folder would lead out
 * of any sandbox. The result adds to the usual three of a command. Node closes what it was given up to the first gap alone.
 */
export function withoutInherited(): (usual: readonly ('ignore' | 'pipe')[]) => StdioOptions {
  const inherited = process.platform === 'linux' ? inheritedFiles() : [];
  if (inherited.length === 0) return (usual) => [...usual];
  const nothing = fs.openSync('/dev/null', 'r');
  const above = Array.from({ length: Math.max(...inherited) + 1 - USUAL }, (_, index) => (inherited.includes(index + USUAL) ? nothing : 'ignore'));
  return (usual) => [...usual, ...above];
}

function inheritedFiles(): readonly number[] {
  if (!fs.existsSync(OPEN_FILES)) return [];
  return fs.readdirSync(OPEN_FILES).map(Number).filter((file) => file >= USUAL && isInherited(file));
}

function isInherited(file: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`${OPEN_FILES}/${file}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_START) === 0;
  } catch (error) {
    // The one by which the folder was listed is closed again.
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
