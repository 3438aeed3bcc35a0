import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { copyFolder } from '../../skills/library/copy-folder.ts';
import { suitesBeside } from './suites-beside.ts';

/**
 * Copies a skill into a new folder, without its evals: what a run is measured by must not lie where it can be read. Files that only
 * have the name of a suite stay. Throws `install_refused` and `io`.
 */
export async function copyWithoutEvals(tree: ReadTree, from: string, into: string): Promise<void> {
  await fs.mkdir(into, { recursive: true, mode: 0o700 });
  await copyFolder({ from, within: from, into });
  const { output, triggers } = suitesBeside(tree, from);
  for (const name of ['evals', ...[...output, ...triggers].map((file) => path.basename(file))]) await fs.rm(path.join(into, name), { recursive: true, force: true });
}
