import path from 'node:path';
import { localTree } from '../../host/local-tree.ts';
import type { ReadTree } from '../../host/host.ts';
import { findSkills } from '../../runtime/find-skills.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import { commandSettings } from '../load-settings.ts';
import { oneLine, write } from '../terminal.ts';

/** The skills of the current folder. What could not be searched is named on standard error. */
export async function skillsHere(): Promise<{ readonly catalogue: SkillCatalogue; readonly tree: ReadTree }> {
  const tree = localTree();
  const { home, data, loaded } = await commandSettings();
  const catalogue = await findSkills(process.cwd(), { tree, env: process.env, home, dataFolder: data, bundledFolder: path.join(packageRoot(), 'skills'), settings: loaded, now: () => performance.now() });
  for (const problem of catalogue.problems) await write(process.stderr, `skillmint: ${oneLine(problem.path)}: ${oneLine(problem.message)}\n`);
  return { catalogue, tree };
}
