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
  /** Value of the mark in its environment. */
  readonly mark: string | undefined;
}

/** Looks at the processes of the machine. */
export interface ProcessTable {
  /**
   * Living processes that come from a command: its process group, those that carry its mark in their environment,
   * those in `known`, and all descendants. On Linux this finds children with a session of their own (`setsid`) and
   * orphans; other systems do not show environments, so there an orphan outside the group is found only if `known`.
   */
  livingTree(tree: { readonly leader: number; readonly mark: string; readonly known: ReadonlySet<number> }): Promise<readonly number[]>;
  /** Living members of a process group; the dead that nobody reaps do not count. */
  livingGroup(leader: number): Promise<readonly number[]>;
}

/** Makes the table. Callers that ask at the same time share one look, which begins after they asked. */
export function processTable(): ProcessTable {
  const look = shared(process.platform === 'linux' ? linuxTable : psTable);
  return {
    async livingTree({ leader, mark, known }) {
      const table = await look();
      const found = new Set(table.filter((entry) => entry.group === leader || entry.mark === mark || known.has(entry.pid)).map((entry) => entry.pid));
      for (let before = -1; before !== found.size; ) {
        before = found.size;
        for (const entry of table) if (found.has(entry.parent)) found.add(entry.pid);
      }
      return [...found];
    },
    livingGroup: async (leader) => (await look()).filter((entry) => entry.group === leader).map((entry) => entry.pid),
  };
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

/** While one call of `work` runs, everybody who comes waits for the one after it; its failure is its own callers' business. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;
  return () => {
    next ??= (async () => {
      await running?.catch(() => undefined);
      running = next;
      next = undefined;
      return work();
    })();
    return next;
  };
}

async function linuxTable(): Promise<readonly ProcessEntry[]> {
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const born = startTime(await readProc('/proc/self/stat'));
  const entries = await Promise.all(pids.map((pid) => linuxEntry(pid, born)));
  return entries.filter((entry) => entry !== undefined);
}

/** Only processes younger than ourselves can carry a mark of ours, which spares reading the environment of all others. */
async function linuxEntry(name: string, born: number): Promise<ProcessEntry | undefined> {
  const pid = Number(name);
  if (pid === process.pid) return undefined;
  const stat = await readProc(`/proc/${name}/stat`);
  const [state, parent, group] = fieldsAfterName(stat);
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined;
  const environment = startTime(stat) < born ? '' : await readProc(`/proc/${name}/environ`);
  const mark = environment.split('\0').find((variable) => variable.startsWith(`${COMMAND_MARK}=`));
  return { pid, parent: Number(parent), group: Number(group), mark: mark?.slice(COMMAND_MARK.length + 1) };
}

/** The name of a program stands in parentheses and may hold anything; what follows are numbers. */
function fieldsAfterName(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** In clock ticks since the machine was started. */
function startTime(stat: string): number {
  return Number(fieldsAfterName(stat)[19] ?? 0);
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
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), mark: undefined }];
  });
}
