import fs from 'node:fs';
import path from 'node:path';
import type { ExceededLimits } from '../../host/host.ts';
import { isAbandoned, ownName } from '../../host/owner-name.ts';
import { sendSignal } from '../../host/process-tree.ts';
import { systemCode } from '../../protocol/errors.ts';
import type { CommandLimits, HeldLimits } from './command-limits.ts';
import { hasBoth, type GroupPlace, type ReadText } from './group-place.ts';

const PREFIX = 'skillmint-';
/**
 * Moves itself into the groups whose files are named before `--`, then becomes what follows, which so never ran outside.
 * 0 means the writer; a single thread that moves itself spares the kernel the wait for all others, 10 to 15 ms.
 */
const ENTER = 'while [ "$1" != -- ]; do echo 0 > "$1" || { echo "bwrap: the limits of commands could not be set" >&2; exit 1; }; shift; done; shift; exec "$@"';
const PATIENCE = { tries: 200, pauseMs: 10 };

/** Files of a group by what they are for. */
interface GroupFiles {
  readonly folders: readonly string[];
  /** Whoever writes 0 into these is in the group. */
  readonly doors: readonly string[];
  /** File and text, in the order in which they are written. */
  readonly settings: (limits: CommandLimits) => readonly (readonly [string, string])[];
  /** Written only where the system has them. */
  readonly optional: (limits: CommandLimits) => readonly (readonly [string, string])[];
  readonly memoryEvents: string;
  readonly processEvents: string;
}

/**
 * The folder below which groups for commands can be made, or undefined when this process may not make any. Tries it out: a
 * group is made, limited and removed. In the new hierarchy a group with processes of its own cannot pass controllers on, so
 * either a group above does so already, or this process, when it is alone in its group, moves into one below it.
 */
export function usablePlace(place: GroupPlace, read: ReadText): GroupPlace | undefined {
  const candidates = place.version === 1 ? [place] : newHierarchy(place.folder, read);
  return candidates.find((candidate) => {
    try {
      removeAbandoned(candidate);
      const held = holdGroup(candidate, { memoryMb: 64, processes: 16 });
      for (const folder of held.folders) fs.rmdirSync(folder);
      return true;
    } catch (error) {
      if (systemCode(error) === '') throw error;
      return false;
    }
  });
}

/** Makes the groups of one command. Throws the system's error when that fails. */
export function holdGroup(place: GroupPlace, limits: CommandLimits): HeldLimits & { readonly folders: readonly string[] } {
  const files = filesOf(place, `${PREFIX}${ownName('op')}`);
  for (const folder of files.folders) fs.mkdirSync(folder);
  for (const [file, text] of files.settings(limits)) fs.writeFileSync(file, text);
  for (const [file, text] of files.optional(limits)) if (fs.existsSync(file)) fs.writeFileSync(file, text);
  return {
    folders: files.folders,
    outside: ['/bin/sh', '-c', ENTER, 'limits', ...files.doors, '--'],
    inside: [],
    exceeded: () => exceededIn(files, limits),
    release: async () => {
      for (const folder of files.folders) await removeGroup(folder);
    },
  };
}

function newHierarchy(own: string, read: ReadText): readonly GroupPlace[] {
  const passing = (folder: string): boolean => hasBoth(read(path.join(folder, 'cgroup.subtree_control')));
  for (let folder = own; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (read(path.join(folder, 'cgroup.procs')) === undefined) break;
    if (passing(folder)) return [{ version: 2, folder }];
  }
  return takeOwnGroup(own, read) ? [{ version: 2, folder: own }] : [];
}

/** True when this process was alone in its group and has made room in it. */
function takeOwnGroup(own: string, read: ReadText): boolean {
  if (read(path.join(own, 'cgroup.procs'))?.trim() !== String(process.pid)) return false;
  try {
    const leaf = path.join(own, `${PREFIX}${ownName('op')}`);
    fs.mkdirSync(leaf);
    fs.writeFileSync(path.join(leaf, 'cgroup.procs'), String(process.pid));
    fs.writeFileSync(path.join(own, 'cgroup.subtree_control'), '+memory +pids');
    return true;
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return false;
  }
}

function filesOf(place: GroupPlace, name: string): GroupFiles {
  const bytes = ({ memoryMb }: CommandLimits): string => String(memoryMb * 1024 * 1024);
  if (place.version === 2) {
    const folder = path.join(place.folder, name);
    const file = (called: string): string => path.join(folder, called);
    return {
      folders: [folder],
      doors: [file('cgroup.procs')],
      settings: (limits) => [[file('memory.max'), bytes(limits)], [file('pids.max'), String(limits.processes)]],
      optional: () => [[file('memory.swap.max'), '0']],
      memoryEvents: file('memory.events'),
      processEvents: file('pids.events'),
    };
  }
  const [memory, pids] = [path.join(place.memory, name), path.join(place.pids, name)];
  const folders = memory === pids ? [memory] : [memory, pids];
  return {
    folders,
    doors: folders.map((folder) => path.join(folder, 'tasks')),
    settings: (limits) => [[path.join(memory, 'memory.limit_in_bytes'), bytes(limits)], [path.join(pids, 'pids.max'), String(limits.processes)]],
    optional: (limits) => [[path.join(memory, 'memory.memsw.limit_in_bytes'), bytes(limits)]],
    memoryEvents: path.join(memory, 'memory.oom_control'),
    processEvents: path.join(pids, 'pids.events'),
  };
}

function exceededIn(files: GroupFiles, { memoryMb, processes }: CommandLimits): ExceededLimits | undefined {
  const killed = countIn(files.memoryEvents, 'oom_kill') > 0;
  const refused = countIn(files.processEvents, 'max') > 0;
  return killed || refused ? { ...(killed ? { memoryMb } : {}), ...(refused ? { processes } : {}) } : undefined;
}

function countIn(file: string, name: string): number {
  // Someone may have removed the group; then nothing is known.
  if (!fs.existsSync(file)) return 0;
  const line = fs.readFileSync(file, 'utf8').split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

/** A group can only be removed when its last process is gone, which takes the kernel a moment. */
async function removeGroup(folder: string): Promise<void> {
  for (let left = PATIENCE.tries; ; left--) {
    try {
      return fs.rmdirSync(folder);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return;
      if (systemCode(error) !== 'EBUSY' || left === 0) throw error;
    }
    const pids = fs.readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n').filter((line) => /^[1-9]\d*$/.test(line));
    for (const pid of pids) sendSignal(Number(pid), 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, PATIENCE.pauseMs));
  }
}

/** Groups of programs that were killed. One that still has a process stays. */
function removeAbandoned(place: GroupPlace): void {
  for (const parent of place.version === 2 ? [place.folder] : [place.memory, place.pids]) {
    for (const name of fs.readdirSync(parent)) {
      const nowMs = Date.now();
      if (!name.startsWith(PREFIX) || !isAbandoned(name.slice(PREFIX.length), { seenMs: nowMs, nowMs })) continue;
      try {
        fs.rmdirSync(path.join(parent, name));
      } catch (error) {
        if (systemCode(error) !== 'EBUSY' && systemCode(error) !== 'ENOENT') throw error;
      }
    }
  }
}
