import { utimes } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import { WORK_FOLDER } from '../discover/skill-root.ts';
import { isAbandoned, ownName, SIGN_OF_LIFE_MS } from './owner-name.ts';

/** A private folder in which a change is prepared. */
export interface Workspace {
  readonly folder: string;
  /** Removes it with all that is in it. */
  close(): Promise<void>;
}

/** A workspace on the file system of the skills, from which they can be moved into place in one step. Should the process die, the next change clears it away. */
export async function openWorkspace(skills: string): Promise<Workspace> {
  const folder = path.join(skills, WORK_FOLDER, ownName('op'));
  await inWorkFolder(skills, () => fs.mkdir(folder, { mode: 0o700 }));
  const sign = setInterval(() => touch(folder), SIGN_OF_LIFE_MS);
  sign.unref();
  return {
    folder,
    close: async () => {
      clearInterval(sign);
      await fs.rm(folder, { recursive: true, force: true });
      await leaveWorkFolder(skills);
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
  const stat = await fs.lstat(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (stat !== undefined && !stat.isDirectory()) throw new SkillmintError('path_refused', `${folder} is ${stat.isSymbolicLink() ? `a link to ${await fs.readlink(folder)}` : 'a file'}, but a change of skills only goes through plain folders. Nothing was changed: remove it and try again.`);
}

/** Workspaces of processes that have ended, absolute. What is no plain folder is none. */
export async function abandonedWorkspaces(skills: string): Promise<readonly string[]> {
  const folder = path.join(skills, WORK_FOLDER);
  const found: string[] = [];
  for (const name of await namesIn(folder)) {
    const workspace = path.join(folder, name);
    if (name.startsWith('op-') && (await isLeft(folder, name)) && (await fs.lstat(workspace)).isDirectory()) found.push(workspace);
  }
  return found;
}

/** Makes something in the folder of all workspaces, which others remove as soon as it is empty. */
export async function inWorkFolder(skills: string, make: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    await fs.mkdir(path.join(skills, WORK_FOLDER), { recursive: true, mode: 0o700 });
    try {
      await make();
      return;
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || attempt === 50) throw error;
    }
  }
}

/** Removes the folder of all workspaces if nothing is in it. */
export async function leaveWorkFolder(skills: string): Promise<void> {
  try {
    await fs.rmdir(path.join(skills, WORK_FOLDER));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error))) throw error;
  }
}

/** Names in a folder, none where it does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** True when this lies there still and its process has ended. */
export async function isLeft(folder: string, name: string): Promise<boolean> {
  try {
    return isAbandoned(name, { seenMs: (await fs.stat(path.join(folder, name))).mtimeMs, nowMs: Date.now() });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Without a sign of life nothing is lost on this machine, whose processes can be looked up: so no fault of it may end the work. */
function touch(folder: string): void {
  const now = new Date();
  utimes(folder, now, now, () => undefined);
}
