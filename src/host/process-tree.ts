import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemCode } from '../protocol/errors.ts';

/** Environment variable by which processes that left their group and lost their parent are found again. */
export const COMMAND_MARK = 'SKILLMINT_COMMAND';

/** A process that is neither dead nor ourselves. */
interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly marked: boolean;
}

/**
 * Living processes that come from a command: its process group, those that carry its mark in their environment, those
 * in `known`, and all descendants. On Linux this finds children with a session of their own (`setsid`) and orphans;
 * other systems do not show environments, so there an orphan outside the group is found only if it was `known`.
 */
export async function livingTree(options: {
  readonly leader: number;
  readonly mark: string;
  readonly known?: ReadonlySet<number>;
}): Promise<readonly number[]> {
  const table = process.platform === 'linux' ? await linuxTable(options.mark) : await psTable();
  const comesFrom = (entry: ProcessEntry): boolean =>
    entry.group === options.leader || entry.marked || options.known?.has(entry.pid) === true;
  const found = new Set(table.filter(comesFrom).map((entry) => entry.pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of table) if (found.has(entry.parent)) found.add(entry.pid);
  }
  return [...found];
}

/** Living members of a process group; the dead that nobody reaps do not count. */
export async function livingGroup(leader: number): Promise<readonly number[]> {
  const table = process.platform === 'linux' ? await linuxTable() : await psTable();
  return table.filter((entry) => entry.group === leader).map((entry) => entry.pid);
}

/** Sends a signal to a process, or with a negative number to a group. False when there is none that may be signalled. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false;
    throw error;
  }
}

async function linuxTable(mark?: string): Promise<readonly ProcessEntry[]> {
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(pids.map((pid) => linuxEntry(pid, mark)));
  return entries.filter((entry) => entry !== undefined);
}

async function linuxEntry(name: string, mark: string | undefined): Promise<ProcessEntry | undefined> {
  const pid = Number(name);
  if (pid === process.pid) return undefined;
  const stat = await readProc(`/proc/${name}/stat`);
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined;
  const environment = mark === undefined ? '' : await readProc(`/proc/${name}/environ`);
  const marked = mark !== undefined && environment.includes(`${COMMAND_MARK}=${mark}\0`);
  return { pid, parent: Number(parent), group: Number(group), marked };
}

/** Empty for a process that has ended meanwhile or belongs to somebody else: neither is ours to end. */
async function readProc(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'latin1');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemCode(error))) return '';
    throw error;
  }
}

async function psTable(): Promise<readonly ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,pgid=,stat='], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z') || Number(pid) === process.pid) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), marked: false }];
  });
}
