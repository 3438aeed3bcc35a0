import { utimes, type Stats } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ownName, SIGN_OF_LIFE_MS } from '../../host/owner-name.ts';
import { namesIn } from '../../host/read-if-there.ts';
import { inSharedFolder, isLeft, leaveSharedFolder } from '../../host/shared-folder.ts';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
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

/** Throws `path_refused` for a link, or anything else that is no folder, where only a folder of this program's own may lie. */
export async function refuseLink(folder: string): Promise<void> {
  const stat = await lstatOf(folder);
  if (stat !== undefined && !stat.isDirectory()) throw new SkillmintError('path_refused', `${folder} is ${stat.isSymbolicLink() ? `a link to ${await fs.readlink(folder)}` : 'a file'}, but a change of skills only goes through plain folders. Nothing was changed: remove it and try again.`);
}

/** Undefined where there is nothing: others may remove it at any time. */
async function lstatOf(at: string): Promise<Stats | undefined> {
  try {
    return await fs.lstat(at);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Workspaces of processes that have ended, absolute. What is no plain folder is none. */
export async function abandonedWorkspaces(skills: string): Promise<readonly string[]> {
  const folder = path.join(skills, WORK_FOLDER);
  const found: string[] = [];
  for (const name of await namesIn(folder)) {
    const workspace = path.join(folder, name);
    if (name.startsWith('op-') && (await isLeft(folder, name)) && (await lstatOf(workspace))?.isDirectory()) found.push(workspace);
  }
  return found;
}

/** Without a sign of life nothing is lost on this machine, whose processes can be looked up: so no fault of it may end the work. */
function touch(folder: string): void {
  const now = new Date();
  utimes(folder, now, now, () => undefined);
}
