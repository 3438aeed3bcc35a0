import fs from 'node:fs';
import path from 'node:path';
import { isInside } from '../host/paths.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { Tenant } from './tenant.ts';

/**
 * The real path of a folder that a client may work in; the first root where none is named.
 * @throws SkillmintError permission_denied for one outside of the roots or in the data folder, whether or not it exists
 */
export function allowedFolder({ roots, dataFolder }: Pick<Tenant, 'roots' | 'dataFolder'>, folder: string | undefined): string {
  const [first] = roots;
  if (first === undefined) throw new SkillmintError('permission_denied', 'No folder may be worked in here. Name some in the setting serve.roots.');
  const real = folder === undefined ? first : realPath(folder);
  if (real === undefined || !roots.some((root) => isInside(root, real)) || isInside(dataFolder, real)) {
    throw new SkillmintError('permission_denied', `The folder ${JSON.stringify(folder ?? first)} is not one that may be worked in: ${roots.join(', ')} and what lies in them. The setting serve.roots names more.`);
  }
  return real;
}

function realPath(folder: string): string | undefined {
  if (!path.isAbsolute(folder) || folder.includes('\0')) return undefined;
  return fs.existsSync(folder) ? fs.realpathSync(folder) : undefined;
}
