import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { halfName, removeHalves } from '../../src/host/half-written.ts';
import { localFiles } from '../../src/host/local-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('halves of files that killed processes have left are removed, and nothing else', async () => {
  const folder = temporaryFolder();
  const own = halfName();
  const left = halfName().replace(/-(\d+)-/, `-${spawnSync('true').pid}-`);
  for (const name of [own, left, 'a.txt', '.skillmint-notes.tmp', '.other.tmp']) fs.writeFileSync(path.join(folder, name), 'x');
  await removeHalves(localFiles(), folder, Date.now());
  expect(fs.readdirSync(folder).toSorted()).toEqual([own, 'a.txt', '.skillmint-notes.tmp', '.other.tmp'].toSorted());
  await removeHalves(localFiles(), path.join(folder, 'none'), Date.now());
});
