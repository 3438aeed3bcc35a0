import fs from 'node:fs/promises';
import path from 'node:path';
import { SUITE_FILES } from '../../evaluate/suites/suite-files.ts';
import { copyFolder } from '../../skills/library/copy-folder.ts';

/** Copies a skill into a new folder, without its evals: what a run is measured by must not lie where it can be read. Throws `install_refused` and `io`. */
export async function copyWithoutEvals(from: string, into: string): Promise<void> {
  await fs.mkdir(into, { recursive: true, mode: 0o700 });
  await copyFolder({ from, within: from, into });
  for (const name of ['evals', ...SUITE_FILES]) await fs.rm(path.join(into, name), { recursive: true, force: true });
}
