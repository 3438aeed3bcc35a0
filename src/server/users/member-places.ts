import fs from 'node:fs';
import path from 'node:path';
import { isInside } from '../../host/paths.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { SHOWN_FOLDERS } from '../../runtime/permissions/shown-folders.ts';

/** Where the data of one user lies, whoever they are: `users/NAME` of the data folder, closed to others. */
export function userData(dataFolder: string, name: string): string {
  return madePrivate(path.join(dataFolder, 'users', name));
}

/** The one folder that a member works in. */
export function memberWorkspace(workspaces: string, name: string): string {
  return madePrivate(path.join(workspaces, name));
}

/** A home for a member: what lies in that of the server is not theirs. */
export function memberHome(data: string): string {
  return madePrivate(path.join(data, 'home'));
}

/**
 * Makes sure that neither the data nor the workspaces lie where all commands may read, nor within each other, nor the workspaces
 * in a repository, whose files would belong to each of them.
 * @throws SkillmintError usage
 */
export function checkPlaces({ dataFolder, workspaces }: { readonly dataFolder: string; readonly workspaces: string }): void {
  fs.mkdirSync(workspaces, { recursive: true, mode: 0o700 });
  fs.mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const [data, work] = [fs.realpathSync(dataFolder), fs.realpathSync(workspaces)];
  if (isInside(data, work) || isInside(work, data)) throw new SkillmintError('usage', `The workspaces of members (${work}) and the data folder (${data}) must not lie in one another. Name another folder with --workspaces.`);
  for (const folder of [data, work]) {
    const shown = SHOWN_FOLDERS.find((each) => isInside(each, folder));
    if (shown !== undefined) throw new SkillmintError('usage', `${folder} lies in ${shown}, which commands of every user may read. Take another folder: --workspaces for the workspaces, SKILLMINT_HOME for the data.`);
  }
  for (let folder = work; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, '.git'))) throw new SkillmintError('usage', `The workspaces of members (${work}) lie in the git repository ${folder}, whose skills and instructions would be theirs. Name another folder with --workspaces.`);
  }
}

function madePrivate(folder: string): string {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Whoever made it before may have left it open.
  fs.chmodSync(folder, 0o700);
  return fs.realpathSync(folder);
}
