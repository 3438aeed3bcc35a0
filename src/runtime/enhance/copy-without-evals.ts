import fs from 'node:fs/promises';
import path from 'node:path';
import { TRIGGER_FILES } from '../../evaluate/suites/read-trigger-suite.ts';
import { copyFolder } from '../../skills/library/copy-folder.ts';

/** What of a skill's folder are its evals. */
const EVALS = ['evals', 'evals.json', ...TRIGGER_FILES];

/** Copies a skill into a new folder, without its evals: cases that are held out must not lie where an edit is made. */
export async function copyWithoutEvals(from: string, into: string): Promise<void> {
  await fs.mkdir(into, { recursive: true, mode: 0o700 });
  await copyFolder({ from, within: from, into });
  for (const name of EVALS) await fs.rm(path.join(into, name), { recursive: true, force: true });
}
