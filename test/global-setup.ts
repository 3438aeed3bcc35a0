import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** One folder for the homes of all test processes, removed when the last one has ended. */
export function setup(): () => void {
  const homes = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-test-homes-'));
  process.env['SKILLMINT_TEST_HOMES'] = homes;
  return () => fs.rmSync(homes, { recursive: true, force: true });
}
