import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { usablePlace } from '../../src/sandbox/limits/control-groups.ts';
import { ownGroups } from '../../src/sandbox/limits/group-place.ts';

const reader = (texts: Readonly<Record<string, string>>) => (file: string): string | undefined => texts[file];

const UNIFIED = '30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate';

it('finds the group of this process in the new hierarchy', () => {
  const own = '/user.slice/user-1000.slice/user@1000.service/app.slice/x.scope';
  expect(ownGroups(reader({ '/proc/self/mountinfo': UNIFIED, '/proc/self/cgroup': `0::${own}\n`, [`/sys/fs/cgroup${own}/cgroup.controllers`]: 'cpu memory pids\n' }))).toEqual([{ version: 2, folder: `/sys/fs/cgroup${own}` }]);
});

it('takes no group that has not both controllers', () => {
  expect(ownGroups(reader({ '/proc/self/mountinfo': UNIFIED, '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cgroup.controllers': 'cpu memory\n' }))).toEqual([]);
  expect(ownGroups(reader({}))).toEqual([]);
});

it('finds both groups of the old hierarchy, beside a new one without controllers and in a container', () => {
  const mountinfo = `32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n39 31 0:36 / /sys/fs/cgroup/pids rw,relatime master:1 - cgroup cgroup rw,pids\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw`;
  const cgroup = '8:pids:/\n4:memory:/docker/abc/part\n0::/\n';
  expect(ownGroups(reader({ '/proc/self/mountinfo': mountinfo, '/proc/self/cgroup': cgroup, '/sys/fs/cgroup/unified/cgroup.controllers': 'hugetlb\n' }))).toEqual([{ version: 1, memory: '/sys/fs/cgroup/memory/part', pids: '/sys/fs/cgroup/pids' }]);
});

it('in the new hierarchy takes the nearest group that passes both controllers on, and none where nothing may be made', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'groups-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const own = path.join(root, 'a/b');
  fs.mkdirSync(own, { recursive: true });
  const texts = { [`${own}/cgroup.procs`]: '1\n2\n', [`${own}/cgroup.subtree_control`]: '', [`${root}/a/cgroup.procs`]: '', [`${root}/a/cgroup.subtree_control`]: 'memory pids\n', [`${root}/cgroup.procs`]: '', [`${root}/cgroup.subtree_control`]: 'memory pids\n' };
  const read = reader(texts);
  // Files of a plain folder keep a group from being removed, as those of the system do not: it counts as not usable.
  expect(usablePlace({ version: 2, folder: own }, read)).toBeUndefined();
  expect(fs.readdirSync(path.join(root, 'a')).some((name) => name.startsWith('skillmint-op-'))).toBe(true);
  expect(fs.readdirSync(root)).toEqual(['a']);
  expect(usablePlace({ version: 2, folder: '/proc' }, reader({ '/proc/cgroup.procs': '', '/proc/cgroup.subtree_control': 'memory pids' }))).toBeUndefined();
});
