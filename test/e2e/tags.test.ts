import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { startTerminal, withoutTmux } from '../cli/terminal.ts';
import { makePlace, run, start, withProvider, type Place } from './program.ts';

const SKILLS = 25;

function placeWithSkills(count = SKILLS): Place {
  const place = makePlace();
  for (let i = 0; i < count; i += 1) {
    const folder = path.join(place.project, '.agents/skills', `note-${i}`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: note-${i}\ndescription: Notes of kind ${i}.\n---\n\nBody.\n`);
  }
  return place;
}

const writesTags: FakeStep = ({ text }) => ({ text: JSON.stringify(Object.fromEntries([...text.matchAll(/\\"name\\": \\"([^\\]+)\\"/g)].map(([, name], i) => [i + 1, [`zorblax-of-${name}`, '报销单']]))), usage: { input: 1_000, output: 100 } });
const hits = async (place: Place, query: string): Promise<readonly string[]> => {
  const { stdout } = await run(place, ['skills', 'search', query, '--json', '-k', '50']);
  const found: readonly { id: string }[] = JSON.parse(stdout);
  return found.map(({ id }) => id);
};

/** Skills of the program itself that are offered, and so found by tags. */
const others = async (place: Place): Promise<number> => {
  const { stdout } = await run(place, ['skills', 'list', '--json']);
  const { skills }: { readonly skills: readonly { readonly type?: string }[] } = JSON.parse(stdout);
  return skills.filter(({ type }) => type !== 'meta').length - SKILLS;
};

it('skills tag writes tags for what has none, says what it cost, and search finds by them', async () => {
  const place = placeWithSkills();
  const provider = await withProvider(place, { steps: Array.from({ length: 9 }, () => writesTags), settings: { model: 'fake/m' } });
  const total = SKILLS + (await others(place));
  const calls = Math.ceil(total / 10);
  expect(await hits(place, '报销单')).toEqual([]);
  const refused = await run(place, ['skills', 'tag']);
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain(`writing tags for ${total} skills with fake/m (${calls} calls) needs --yes`);
  expect(provider.requests).toEqual([]);

  const few = await run(place, ['skills', 'tag', '--limit', '10', '--yes', '--json']);
  expect([few.code, few.stderr]).toEqual([0, '']);
  expect(JSON.parse(few.stdout)).toEqual({ model: 'fake/m', skills: 10, tagged: 10, unreadable: 0, calls: 1, usage: { input: 1_000, output: 100, cache_read: 0, cache_write: 0 }, cost_usd: 0.002, stopped: false });
  const rest = await run(place, ['skills', 'tag', '--yes']);
  expect(rest.stderr.trim()).toBe(`Tags were written for ${total - 10} of ${total - 10} skills with fake/m (${calls - 1} calls, ${1_000 * (calls - 1)} tokens in and ${100 * (calls - 1)} out, $${(0.002 * (calls - 1)).toFixed(4)}).`);
  expect(await hits(place, '报销单')).toHaveLength(total);
  const again = await run(place, ['skills', 'tag', '--yes']);
  expect([again.code, again.stderr]).toEqual([0, 'No skill here wants tags.\n']);
  expect(provider.requests).toHaveLength(calls);
  // A person sees what an author wrote, never what the model added.
  expect((await run(place, ['skills', 'show', 'note-1', '--json'])).stdout).not.toContain('zorblax');
});

it('without a model it says so, and sends nothing', async () => {
  const { code, stderr } = await run(placeWithSkills(2), ['skills', 'tag', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^skillmint: No model is set up that could write tags\. Set smallModel/);
});

it('Ctrl-C keeps what was written; a model that fails does, too', async () => {
  const place = placeWithSkills();
  const provider = await withProvider(place, { steps: [writesTags, { fault: { kind: 'hang', afterBytes: 0 } }], settings: { model: 'fake/m' } });
  const { child, ended } = start(place, ['skills', 'tag', '--yes']);
  for (let i = 0; i < 400 && provider.requests.length < 2; i += 1) await sleep(25);
  child.kill('SIGINT');
  const stopped = await ended;
  expect([stopped.code, stopped.signal]).toEqual([130, null]);
  expect(stopped.stderr).toMatch(/Tags were written for 10 of \d+ skills[\s\S]*Stopped before the end; what was written stays\./);
  expect(await hits(place, '报销单')).toHaveLength(10);

  provider.push({ status: 401, body: { error: { message: 'no such key' } } }, 'I would rather not.', ...Array.from({ length: 9 }, () => writesTags));
  const failed = await run(place, ['skills', 'tag', '--yes', '--json']);
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({ tagged: 0, calls: 1, problem: expect.stringContaining('401') });
  const strange = await run(place, ['skills', 'tag', '--yes', '--limit', '10']);
  expect([strange.code, strange.stderr]).toEqual([1, expect.stringContaining('for 10 skills could not be understood')]);
  expect((await run(place, ['skills', 'tag', '--yes'])).code).toBe(0);
  expect((await hits(place, '报销单')).length).toBeGreaterThanOrEqual(SKILLS);
}, 60_000);

it('a run that takes its time writes tags meanwhile, and says what that cost', async () => {
  const place = placeWithSkills();
  let turns = 0;
  const step: FakeStep = (request) => {
    if (request.text.includes('Write search tags')) return typeof writesTags === 'function' ? writesTags(request) : writesTags;
    turns += 1;
    return turns === 1 ? { text: 'I wait.', calls: [{ name: 'Bash', input: { command: 'sleep 2' } }] } : 'done';
  };
  await withProvider(place, { steps: Array.from({ length: 9 }, () => step), settings: { model: 'fake/m', skills: { generateTags: true } } });
  const { code, stderr } = await run(place, ['run', 'hello', '--permission-mode', 'unrestricted', '--sandbox', 'off']);
  expect(code).toBe(0);
  expect(stderr).toContain('fake/m wrote search tags for 10 of 10 skills (1 call, 1000 tokens in and 100 out, $0.0020)');
  expect(await hits(place, '报销单')).toHaveLength(10);
});

it.skipIf(withoutTmux)('on a terminal it asks, with the number of calls, and a no sends nothing', async () => {
  const place = placeWithSkills();
  const provider = await withProvider(place, { steps: Array.from({ length: 9 }, () => writesTags), settings: { model: 'fake/m' } });
  const no = startTerminal(place, ['skills', 'tag', '--limit', '20']);
  await no.shows('Begin writing tags for 20 skills with fake/m (2 calls)?');
  no.type('n');
  expect(await no.ended()).toBe(6);
  expect(provider.requests).toEqual([]);
  fs.rmSync(path.join(place.root, 'status'));
  const yes = startTerminal(place, ['skills', 'tag', '--limit', '20']);
  await yes.shows('(2 calls)?');
  yes.type('y');
  expect(await yes.ended()).toBe(0);
  expect(yes.screen()).toContain('Tags were written for 20 of 20 skills');
  expect(provider.requests).toHaveLength(2);
});
