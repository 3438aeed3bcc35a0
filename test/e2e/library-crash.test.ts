import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import { makePlace, run, start, writeSkill, type Place } from './program.ts';

const FILES = 2_000;

/** What `skills list` shows of the person's own skills: names with their descriptions. */
async function listed(place: Place): Promise<readonly string[]> {
  const { stdout } = await run(place, ['skills', 'list', '--json']);
  const value: unknown = JSON.parse(stdout);
  const skills = isObject(value) && Array.isArray(value['skills']) ? value['skills'].filter(isObject) : [];
  return skills.filter((skill) => skill['source'] === 'user').map((skill) => `${String(skill['name'])}: ${String(skill['description'])} ${String(skill['status'])}`);
}

function manyFiles(version: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`data/${i % 40}/${i}.txt`, `${version} ${i}\n`]));
}

/** Names in the folder of skills that are neither skills nor the lock file. */
function leftovers(skills: string): readonly string[] {
  return fs.existsSync(skills) ? fs.readdirSync(skills).filter((name) => name.startsWith('.')) : [];
}

/** Versions that the files of an installed skill have; one that is whole has all of one. */
function versionsOf(folder: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.txt')) continue;
    const version = fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8').split(' ')[0] ?? '';
    counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return counts;
}

it('kill -9 in the middle of an install of 2,000 files leaves no half skill, and the next install works (C-A4)', async () => {
  const place = makePlace();
  const skills = path.join(place.data, 'skills');
  const source = writeSkill(place.root, { name: 'big', description: 'Version one.', files: manyFiles('one') });
  let midway = 0;
  for (const pause of [20, 40, 80, 160]) {
    const { child, ended } = start(place, ['skills', 'install', source]);
    // From the moment when files are being written.
    while (leftovers(skills).length === 0 && child.exitCode === null) await sleep(2);
    await sleep(pause);
    child.kill('SIGKILL');
    const { signal } = await ended;
    if (signal === 'SIGKILL' && !fs.existsSync(path.join(skills, 'big'))) midway += 1;
    expect(await listed(place)).toEqual(fs.existsSync(path.join(skills, 'big')) ? ['big: Version one. loaded'] : []);
    if (fs.existsSync(path.join(skills, 'big'))) expect([...versionsOf(path.join(skills, 'big'))]).toEqual([['one', FILES]]);
    fs.rmSync(path.join(skills, 'big'), { recursive: true, force: true });
    fs.rmSync(path.join(skills, 'skills.lock.json'), { force: true });
  }
  expect(midway).toBeGreaterThan(0);
  const { code, stderr } = await run(place, ['skills', 'install', source]);
  expect({ code, left: leftovers(skills) }, stderr).toEqual({ code: 0, left: [] });
  expect(await listed(place)).toEqual(['big: Version one. loaded']);
  expect([...versionsOf(path.join(skills, 'big'))]).toEqual([['one', FILES]]);
}, 120_000);

/** Loaded before the program: ends it the hard way at the Nth rename. */
const KILLER = `
const fs = require('node:fs');
const promises = require('node:fs/promises');
let left = Number(process.env.KILL_AT);
const rename = promises.rename;
promises.rename = async (...args) => {
  if (process.env.KILL_WHEN === 'before' && --left === 0) process.kill(process.pid, 'SIGKILL');
  await rename(...args);
  if (process.env.KILL_WHEN === 'after' && --left === 0) process.kill(process.pid, 'SIGKILL');
};
`;

it('killed before and after every single step of a replacement, old or new is whole or comes back with the next command (C-A5)', async () => {
  const place = makePlace();
  const skills = path.join(place.data, 'skills');
  const killer = path.join(place.root, 'killer.cjs');
  fs.writeFileSync(killer, KILLER);
  const files = (version: string) => ({ 'data/a.txt': `${version} a`, 'data/b.txt': `${version} b` });
  const sources = { one: writeSkill(path.join(place.root, '1'), { name: 'pdf', description: 'Version one.', files: files('one') }), two: writeSkill(path.join(place.root, '2'), { name: 'pdf', description: 'Version two.', files: files('two') }) };
  const other = writeSkill(place.root, { name: 'other' });
  const seen = new Set<string>();
  let killed = 0;
  for (const when of ['before', 'after']) {
    for (let at = 1; ; at += 1) {
      fs.rmSync(skills, { recursive: true, force: true });
      expect((await run(place, ['skills', 'install', sources.one])).code).toBe(0);
      const { signal } = await run(place, ['skills', 'install', sources.two, '--replace'], { env: { NODE_OPTIONS: `--require ${killer}`, KILL_AT: String(at), KILL_WHEN: when } });
      const here = await listed(place);
      // Between the two moves of a folder, and only there, the skill is not to be seen.
      expect([['pdf: Version one. loaded'], ['pdf: Version two. loaded'], []]).toContainEqual(here);
      if (here.length > 0) expect([...versionsOf(path.join(skills, 'pdf')).values()]).toEqual([2]);
      seen.add(here[0] ?? 'none');
      const next = await run(place, ['skills', 'install', other]);
      expect(next.code, next.stderr).toBe(0);
      const after = (await listed(place)).filter((line) => line.startsWith('pdf'));
      expect([['pdf: Version one. loaded'], ['pdf: Version two. loaded']]).toContainEqual(after);
      const [version] = versionsOf(path.join(skills, 'pdf')).keys();
      const checked = await run(place, ['skills', 'install', '--frozen']);
      expect(checked.stderr, `${when} ${at}: the lock file speaks of what is there (${version})`).toContain('Nothing had to be done; 2 were as locked already.');
      expect(leftovers(skills)).toEqual([]);
      if (signal !== 'SIGKILL') break;
      killed += 1;
    }
  }
  expect(killed).toBeGreaterThanOrEqual(8);
  expect([...seen].sort()).toEqual(['none', 'pdf: Version one. loaded', 'pdf: Version two. loaded']);
}, 300_000);

it('eight processes that change one library at once all succeed, and the lock file has every skill', async () => {
  const place = makePlace();
  const names = Array.from({ length: 8 }, (_, i) => `skill-${i}`);
  const sources = names.map((name) => writeSkill(path.join(place.root, 'sources'), { name, files: { 'a.txt': name } }));
  const ended = await Promise.all(sources.map((source) => run(place, ['skills', 'install', source])));
  expect(ended.map(({ code, stderr }) => (code === 0 ? 'ok' : stderr))).toEqual(names.map(() => 'ok'));
  const lock: unknown = JSON.parse(fs.readFileSync(path.join(place.data, 'skills', 'skills.lock.json'), 'utf8'));
  expect(isObject(lock) && isObject(lock['skills']) ? Object.keys(lock['skills']) : lock).toEqual(names);
  expect(leftovers(path.join(place.data, 'skills'))).toEqual([]);
  // Of two that install the same, one succeeds and the other is told.
  const twice = await Promise.all([1, 2].map(() => run(place, ['skills', 'install', writeSkill(path.join(place.root, 'more'), { name: 'same' })])));
  expect(twice.map(({ code }) => code).sort()).toEqual([0, 6]);
  expect(await listed(place)).toHaveLength(9);
}, 120_000);
