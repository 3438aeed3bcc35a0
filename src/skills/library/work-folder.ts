import { utimes } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ownName, SIGN_OF_LIFE_MS } from '../../host/owner-name.ts';
import { inSharedFolder, isLeft, leaveSharedFolder, namesIn } from '../../host/shared-folder.ts';
import { WORK_FOLDER } from '../discover/skill-root.ts';

/** A private folder in which a change is prepared. */
export interface Workspace {
  readonly folder: string;
  /** Removes it with all that is in it. */
  close(): Promise<void>;
}

/** A workspace on the file system of the skills, from which they can be moved into place in one step. Should the process die, the next change clears it away. */
export async function openWorkspace(skills: string): Promise<Workspace> {
  const all = path.join(skills, WORK_FOLDER);
  const folder = path.join(all, ownName('op'));
  await inSharedFolder(all, () => fs.mkdir(folder, { mode: 0o700 }));
  const sign = setInterval(() => touch(folder), SIGN_OF_LIFE_MS);
  sign.unref();
  return {
    folder,
    close: async () => {
      clearInterval(sign);
      await fs.rm(folder, { recursive: true, force: true });
      await leaveSharedFolder(all);
    },
  };
}

/** A workspace for something that will not be moved into place. */
export async function temporaryWorkspace(): Promise<Workspace> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'skillmint-'));
  return { folder, close: () => fs.rm(folder, { recursive: true, force: true }) };
}

/** Folder of a workspace in which the skills lie, each by its name. */
export function stagedFolder(workspace: string): string {
  return path.join(workspace, 'new');
}

/** Workspaces of processes that have ended, absolute. */
export async function abandonedWorkspaces(skills: string): Promise<readonly string[]> {
  const folder = path.join(skills, WORK_FOLDER);
  const found: string[] = [];
  for (const name of await namesIn(folder)) {
    if (name.startsWith('op-') && (await isLeft(folder, name))) found.push(path.join(folder, name));
  }
  return found;
}

/** Without a sign of life nothing is lost on this machine, whose processes can be looked up: so no fault of it may end the work. */
function touch(folder: string): void {
  const now = new Date();
  utimes(folder, now, now, () => undefined);
}
