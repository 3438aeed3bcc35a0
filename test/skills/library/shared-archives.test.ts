import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isObject } from '../../../src/protocol/json.ts';
import { temporaryFolder } from '../../host/temporary-folder.ts';
import { SHARED } from '../corpus.ts';
import { testLibrary } from './library.ts';

const MAKER = path.join(SHARED, 'security', 'make-archives.mjs');

interface Fixture {
  readonly file: string;
  readonly expect: string;
  readonly why: string;
  readonly alsoOk?: string;
  readonly skills?: readonly string[];
  readonly mustExist?: readonly string[];
  readonly mustNotExist?: readonly string[];
}

function isFixture(value: unknown): value is Fixture {
  return isObject(value) && typeof value['file'] === 'string' && typeof value['expect'] === 'string';
}

function fixturesIn(folder: string): readonly Fixture[] {
  const index: unknown = JSON.parse(fs.readFileSync(path.join(folder, 'index.json'), 'utf8'));
  return isObject(index) && Array.isArray(index['fixtures']) ? index['fixtures'].filter(isFixture) : [];
}

/** What many of the archives try to write. */
const EVIL = '/tmp/skillmint-evil.txt';

/** Names of all that lies around the library, and in the folder above. */
function outside(root: string): string {
  return [...fs.readdirSync(root, { recursive: true }).map(String).filter((name) => !/^data(\/|$)/.test(name)), ...fs.readdirSync(path.dirname(root)).filter((name) => name.includes('evil'))].join('\n');
}

it.skipIf(!fs.existsSync(MAKER))('every archive of the security set installs or is refused as it must, and leaves nothing behind (C-A1, C-M1)', async () => {
  const folder = temporaryFolder();
  execFileSync(process.execPath, [MAKER, folder]);
  const fixtures = fixturesIn(folder);
  expect(fixtures.length).toBe(87);
  const wrong: string[] = [];
  for (const fixture of fixtures) {
    const lib = testLibrary();
    const before = [outside(lib.root), fs.readdirSync(lib.root).join()];
    const cpu = process.cpuUsage();
    const outcome = await lib.install(path.join(folder, fixture.file)).then(() => 'install', (error: { readonly code: string; readonly message: string }) => (error.code === 'install_refused' ? 'reject' : `${error.code}: ${error.message}`));
    const { user, system } = process.cpuUsage(cpu);
    if (fixture.file.startsWith('md-') && user + system > 1_000_000) wrong.push(`${fixture.file}: took ${(user + system) / 1_000} ms of the processor`);
    const contents = lib.contents();
    const top = contents.filter((name) => !name.includes('/') && name !== 'skills.lock.json');
    if (outcome !== fixture.expect && (fixture.alsoOk === undefined || !['install', 'reject'].includes(outcome))) wrong.push(`${fixture.file}: ${outcome}, must be ${fixture.expect} (${fixture.why})`);
    if (outcome !== 'install' && (contents.length > 0 || fs.readdirSync(lib.root).join() !== before[1])) wrong.push(`${fixture.file}: left ${contents.join(', ')}`);
    if (outside(lib.root) !== before[0] || fs.existsSync(EVIL)) wrong.push(`${fixture.file}: changed something outside`);
    if (outcome === 'install' && fixture.skills && top.join() !== [...fixture.skills].sort().join()) wrong.push(`${fixture.file}: ${top.join()}`);
    for (const file of fixture.mustExist ?? []) if (!contents.includes(file)) wrong.push(`${fixture.file}: ${file} is missing`);
    for (const file of fixture.mustNotExist ?? []) if (contents.includes(file)) wrong.push(`${fixture.file}: ${file} is there`);
  }
  expect(wrong).toEqual([]);
}, 120_000);
