import path from 'node:path';

/** Where groups for commands can be made: one folder for each controller of the old hierarchy, one for both of the new. */
export type GroupPlace =
  | { readonly version: 2; readonly folder: string }
  | { readonly version: 1; readonly memory: string; readonly pids: string };

/** A file's text, or undefined when it is not there or may not be read. */
export type ReadText = (file: string) => string | undefined;

interface Mount {
  readonly root: string;
  readonly folder: string;
  readonly type: string;
  readonly options: readonly string[];
}

/**
 * The group of this process in the control groups of the system: `/proc/self/mountinfo` says where they are mounted,
 * `/proc/self/cgroup` which of them is ours. The new hierarchy counts where it has both controllers.
 */
export function ownGroups(read: ReadText): readonly GroupPlace[] {
  const mounts = (read('/proc/self/mountinfo') ?? '').split('\n').flatMap(parseMount);
  const own = (read('/proc/self/cgroup') ?? '').split('\n').map((line) => /^\d+:([^:]*):(.*)$/.exec(line));
  const place = (mount: Mount | undefined, controller: string): string | undefined => {
    const group = own.find((line) => (line?.[1] ?? '-').split(',').includes(controller))?.[2];
    return mount && group !== undefined ? below(mount, group) : undefined;
  };
  const folder = place(mounts.find(({ type }) => type === 'cgroup2'), '');
  const old = (name: string): string | undefined => place(mounts.find(({ type, options }) => type === 'cgroup' && options.includes(name)), name);
  const [memory, pids] = [old('memory'), old('pids')];
  return [
    ...(folder !== undefined && hasBoth(read(path.join(folder, 'cgroup.controllers'))) ? [{ version: 2, folder } as const] : []),
    ...(memory !== undefined && pids !== undefined ? [{ version: 1, memory, pids } as const] : []),
  ];
}

/** True when a list of controllers, as the files of a group hold it, has those for memory and processes. */
export function hasBoth(list: string | undefined): boolean {
  const names = (list ?? '').trim().split(/\s+/);
  return names.includes('memory') && names.includes('pids');
}

/** `36 32 0:32 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids`; between the options and the dash may stand more. */
function parseMount(line: string): readonly Mount[] {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root, folder] = before.split(' ');
  const [type = '', , options = ''] = after.split(' ');
  return root === undefined || folder === undefined ? [] : [{ root, folder, type, options: options.split(',') }];
}

/** In a container the mount may show a part of the hierarchy alone. */
function below({ root, folder }: Mount, group: string): string {
  const relative = path.posix.relative(root, group);
  return relative.startsWith('..') ? folder : path.join(folder, relative);
}
