import { spawnSync } from 'node:child_process';

/** The user that tests become; it owns nothing. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

/** Becoming another user needs root, and a Node that lies where others may run it. */
export const withoutAnotherUser = spawnSync(process.execPath, ['--version'], { ...NOBODY, cwd: '/' }).status !== 0 && !(process.getuid?.() === 0 && process.env['CI'] === 'true');

/** Does the work with the rights of that user; for tests that `withoutAnotherUser` skips where it cannot be. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const { seteuid } = process;
  if (!seteuid) throw new Error('this system has no users');
  seteuid.call(process, NOBODY.uid);
  try {
    return await work();
  } finally {
    seteuid.call(process, 0);
  }
}
