import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { COMMAND_MARK } from './process-tree.ts';

/**
 * Notes which process groups run (`+ LEADER MARK`, `- LEADER MARK`) until the pipe of its input breaks, which it does however the
 * process at the other end dies; then ends them, and where processes show their environment those that left them with the mark.
 * The leader 0 stands for a group that is about to start. Arguments are folders that are removed after that.
 */
const SCRIPT = `running=
while read -r sign leader mark; do
  if [ "$sign" = + ]; then running="$running $leader:$mark"; continue; fi
  left=
  for one in $running; do [ "$one" = "$leader:$mark" ] || left="$left $one"; done
  running=$left
done
[ -n "$running" ] || exit 0
for one in $running; do [ "\${one%%:*}" = 0 ] || kill -TERM -"\${one%%:*}"; done
sleep 0.5 || sleep 1
for one in $running; do
  [ "\${one%%:*}" = 0 ] || kill -KILL -"\${one%%:*}"
  for file in $(grep -lzs "^${COMMAND_MARK}=\${one#*:}$" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}"
  done
done
[ $# -eq 0 ] || { sleep 0.1 || sleep 1; rm -rf -- "$@"; }`;

/** A process group, and the mark of those who belong to it. */
export interface GuardedGroup {
  readonly leader: number;
  readonly mark: string;
}

/** Sees to it that process groups do not outlive this process, whatever ends it. Where there is no shell of POSIX it does nothing. */
export interface GroupGuard {
  /** Tells of a group that is about to start, so that there is no moment at which nobody knows of it. The result is to be called once it was added, or did not start. */
  expect(mark: string): () => void;
  /** The result is to be called when the group is gone. */
  add(group: GuardedGroup): () => void;
  /** Ends the guard itself, for one whose groups are gone. */
  close(): void;
}

/** Makes a guard: one shell for all its groups, from the first one on. The folders of `remove` go with groups that it had to end. */
export function groupGuard({ remove = [] }: { readonly remove?: readonly string[] } = {}): GroupGuard {
  if (process.platform === 'win32') return { expect: () => () => undefined, add: () => () => undefined, close: () => undefined };
  let input: Writable | undefined;
  const add = ({ leader, mark }: GuardedGroup): (() => void) => {
    input ??= startGuard(remove);
    input.write(`+ ${leader} ${mark}\n`);
    return () => void input?.write(`- ${leader} ${mark}\n`);
  };
  return {
    expect: (mark) => add({ leader: 0, mark }),
    add,
    close: () => void input?.end(),
  };
}

function startGuard(remove: readonly string[]): Writable {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'guard', ...remove], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
  // Without it groups still end with this process where it can end them itself.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return guard.stdin;
}
