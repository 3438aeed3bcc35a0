import path from 'node:path';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import { localTree } from '../../host/local-tree.ts';
import { findSkills } from '../../runtime/find-skills.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import { commandSettings } from '../load-settings.ts';
import { endWithReader, oneLine, write } from '../terminal.ts';

/** What was found, and what it takes to read on. */
export interface SkillsHere {
  readonly catalogue: SkillCatalogue;
  readonly tree: ReadTree;
  readonly home: string;
  /** The data folder. */
  readonly data: string;
}

/** The skills of the current folder, with their digests where those are to be shown. What could not be searched is named on standard error. */
export async function skillsHere({ digests = false }: { readonly digests?: boolean } = {}): Promise<SkillsHere> {
  const tree = localTree();
  const { home, data, loaded } = await commandSettings();
  const parts = { tree, files: filesOnDemand(), env: process.env, home, dataFolder: data, bundledFolder: path.join(packageRoot(), 'skills'), settings: loaded, now: Date.now };
  const catalogue = await findSkills(process.cwd(), parts, { digests });
  const problems = process.env['SKILLMINT_DEBUG'] && catalogue.notKept ? [...catalogue.problems, catalogue.notKept] : catalogue.problems;
  if (problems.length > 0) endWithReader(process.stderr);
  for (const problem of problems) await write(process.stderr, `skillmint: ${oneLine(problem.path)}: ${oneLine(problem.message)}\n`);
  return { catalogue, tree, home, data };
}

/** The files of this machine; most listings change none, so what it takes is loaded with the first change. */
function filesOnDemand(): Pick<HostFiles, 'write' | 'remove'> {
  const files = async (): Promise<HostFiles> => (await import('../../host/local-files.ts')).localFiles();
  return {
    write: async (file, data, options) => (await files()).write(file, data, options),
    remove: async (file) => (await files()).remove(file),
  };
}
