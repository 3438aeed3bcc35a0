import fs from 'node:fs';
import { systemCode } from '../../protocol/errors.ts';
import { holdGroup, usablePlace } from './control-groups.ts';
import type { Limiter } from './command-limits.ts';
import { ownGroups, type GroupPlace, type ReadText } from './group-place.ts';

/** What is looked at to find a limiter. */
export interface LimiterOptions {
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly isRoot: boolean;
  readonly read?: ReadText;
  /** Where `prlimit` may lie. */
  readonly prlimit?: readonly string[];
}

const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'];
const REMEDY = 'for limits on whole commands start it in a group of its own: systemd-run --user --scope -p Delegate=yes skillmint';

/** Finds the strongest way to limit commands that this process may use: control groups, else limits of single processes. */
export function findLimiter({ platform, isRoot, read = readText, prlimit = PRLIMIT }: LimiterOptions): Limiter {
  if (platform !== 'linux') return unlimited('there is none for this system');
  for (const own of ownGroups(read)) {
    const place = usablePlace(own, read);
    if (place) return { mechanism: `cgroup v${place.version}`, line: `memory and processes of each command (cgroup v${place.version})`, ...groupsIn(place) };
  }
  const program = prlimit.find((one) => fs.existsSync(one));
  if (program === undefined) return unlimited(`control groups cannot be written and prlimit is not installed; ${REMEDY}`);
  return {
    mechanism: 'rlimits',
    line: isRoot
      ? `memory of each process alone, and no bound on the number of processes, since none holds for root (rlimits); ${REMEDY}`
      : `memory of each process alone, and the number of processes (rlimits); ${REMEDY}`,
    hold: ({ memoryMb, processes }) => ({
      outside: [],
      // Inside, where the processes of the sandbox alone are counted. For root the kernel looks at neither number nor owner.
      inside: [program, `--data=${memoryMb * 1024 * 1024}`, ...(isRoot ? [] : [`--nproc=${processes}`]), '--'],
      exceeded: () => undefined,
      release: () => Promise.resolve(),
    }),
    close: () => Promise.resolve(),
  };
}

/** Keeps account of the groups that are being removed. */
function groupsIn(place: GroupPlace): Pick<Limiter, 'hold' | 'close'> {
  const leaving = new Set<Promise<void>>();
  return {
    hold: (limits) => {
      const held = holdGroup(place, limits);
      return {
        ...held,
        release: () => {
          const gone = held.release().then(() => void leaving.delete(gone));
          leaving.add(gone);
          return gone;
        },
      };
    },
    close: async () => void (await Promise.all(leaving)),
  };
}

function unlimited(why: string): Limiter {
  return { mechanism: 'none', line: `no limits on memory and processes: ${why}`, hold: () => ({ outside: [], inside: [], exceeded: () => undefined, release: () => Promise.resolve() }), close: () => Promise.resolve() };
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR', 'EOPNOTSUPP'].includes(systemCode(error))) return undefined;
    throw error;
  }
}
