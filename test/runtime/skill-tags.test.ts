import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { SettingsFile } from '../../src/config/settings.ts';
import { startFakeProvider, type FakeProvider } from '../../src/testing/fake-provider/server.ts';
import type { FakeReply, FakeRequest, FakeStep } from '../../src/testing/fake-provider/script.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { eventsOf, finish, makePlace, open, say, writeSkill, type Finished, type Place } from './open.ts';

const isTagging = (request: FakeRequest | undefined): boolean => request?.text.includes('Write search tags') === true;

/** Names of the skills that a request wants tags for, in their order. */
const namesIn = (request: FakeRequest | undefined): readonly string[] => [...(request?.text ?? '').matchAll(/\\"name\\": \\"([^\\]+)\\"/g)].map(([, name]) => name ?? '');

/** Gives the skill `charts` tags that nothing else holds, and the others none. */
const writesTags = (request: FakeRequest): FakeReply => ({ text: JSON.stringify(Object.fromEntries(namesIn(request).map((name, i) => [i + 1, name === 'charts' ? ['zorblax', '报销单'] : []]))), usage: { input: 1_200, output: 80 } });

/** A provider whose turns end with one word, and which answers requests for tags otherwise. */
async function provider(tags: FakeStep): Promise<FakeProvider> {
  const step: FakeStep = (request) => (!isTagging(request) ? 'done' : typeof tags === 'function' ? tags(request) : tags);
  const started = await startFakeProvider({ steps: Array.from({ length: 60 }, () => step) });
  onTestFinished(() => started.close());
  return started;
}

const SKILLS = 12;
function place(): Place {
  const made = makePlace();
  for (let i = 0; i < SKILLS; i += 1) writeSkill(made, `note-${i}`, { description: `Notes on a thing that people mend, of kind ${i}.` });
  writeSkill(made, 'charts', { description: 'Draws pictures of numbers.' });
  return made;
}

const settings = (url: string, more: SettingsFile = {}): SettingsFile => ({
  model: 'fake/big',
  smallModel: 'fake/small',
  providers: { fake: { api: 'openai-chat', baseUrl: url, apiKey: 'sk-fake', models: [{ id: 'big' }, { id: 'small', price: { input: 1, output: 10 } }] } },
  skills: { generateTags: true },
  ...more,
});
const taggings = ({ requests }: FakeProvider): readonly FakeRequest[] => requests.filter(isTagging);
const offered = ({ events }: Finished): readonly string[] => eventsOf(events, 'skill.offered').flatMap(({ skills }) => skills.map(({ id }) => id));
const warnings = ({ events }: Finished): readonly string[] => eventsOf(events, 'warning').filter(({ code }) => code === 'skill_index').map(({ message }) => message);

/** Waits until so many requests for tags were made, and a moment for what follows from them. */
async function tagged(fake: FakeProvider, count: number): Promise<void> {
  for (let i = 0; i < 200 && taggings(fake).length < count; i += 1) await sleep(25);
  expect(taggings(fake)).toHaveLength(count);
  await sleep(150);
}

const turn = (runtime: Runtime, at: Place, text: string): Promise<Finished> => say(runtime, { text, cwd: at.project });

it('beside the turns of a process the small model writes tags, those that were offered first, and their words find skills from then on', async () => {
  const [fake, at] = [await provider(writesTags), place()];
  const { runtime: before } = await open(undefined, { place: at, settings: settings(fake.url, { skills: { generateTags: false } }) });
  expect(offered(await turn(before, at, 'zorblax'))).not.toContain('project:charts');
  await before.close();
  const { runtime } = await open(undefined, { place: at, settings: settings(fake.url) });
  await turn(runtime, at, 'draw pictures of numbers');
  await tagged(fake, 1);
  expect(namesIn(taggings(fake)[0])).toContain('charts');
  expect(namesIn(taggings(fake)[0])).toHaveLength(10);
  expect(taggings(fake)[0]?.body['model']).toBe('small');
  const next = await turn(runtime, at, '报销单');
  expect(offered(next)).toEqual(['project:charts']);
  // What it cost is said once, with the next turn where the one that it was for has ended.
  expect(warnings(next)).toEqual([expect.stringMatching(/^fake\/small wrote search tags for 1 of 10 skills \(1 call, 1200 tokens in and 80 out, \$0\.0020\)/)]);
  // The words of the tags are in no request of a turn but as the person wrote them.
  expect(fake.requests.filter((request) => !isTagging(request) && request.text.includes('zorblax'))).toHaveLength(1);
  await tagged(fake, 2);
  expect(new Set(taggings(fake).flatMap(namesIn)).size).toBe(taggings(fake).flatMap(namesIn).length);
  await runtime.close();

  const asked = taggings(fake).flatMap(namesIn).length;
  const { runtime: later } = await open(undefined, { place: at, settings: settings(fake.url) });
  expect(offered(await turn(later, at, 'zorblax'))).toEqual(['project:charts']);
  await sleep(1_000);
  expect(taggings(fake).flatMap(namesIn).slice(asked)).not.toContain('charts');
  await later.close();
});

it('with the setting off a turn asks for no tags, and with it on the first request is the same and is not kept waiting', async () => {
  const at = place();
  const requestOf = async (on: boolean): Promise<{ readonly fake: FakeProvider; readonly text: string }> => {
    const fake = await provider(writesTags);
    const { runtime } = await open(undefined, { place: at, settings: settings(fake.url, { skills: { generateTags: on } }) });
    await turn(runtime, at, 'mend a thing');
    await sleep(on ? 0 : 1_200);
    await runtime.close();
    return { fake, text: fake.requests[0]?.text ?? '' };
  };
  const off = await requestOf(false);
  expect(off.fake.requests).toHaveLength(1);
  const on = await requestOf(true);
  expect(isTagging(on.fake.requests[0])).toBe(false);
  const plain = (text: string): string => text.replaceAll(/ses_\w+/g, 'ses');
  expect(plain(on.text)).toBe(plain(off.text));
});

it('a turn that goes on hears of it itself', async () => {
  const at = place();
  let turns = 0;
  const step: FakeStep = (request) => {
    if (isTagging(request)) return writesTags(request);
    turns += 1;
    return turns === 1 ? { text: 'I wait.', calls: [{ name: 'Bash', input: { command: 'sleep 2' } }] } : 'done';
  };
  const fake = await startFakeProvider({ steps: Array.from({ length: 9 }, () => step) });
  onTestFinished(() => fake.close());
  const { runtime } = await open(undefined, { place: at, settings: settings(fake.url) });
  const done = await turn(runtime, at, 'mend a thing');
  expect(done.result.status).toBe('done');
  expect(warnings(done)).toEqual([expect.stringContaining('wrote search tags for 1 of 10 skills')]);
  expect(warnings(await turn(runtime, at, 'mend a thing'))).toEqual([]);
});

it.each([
  ['fails', { status: 401, body: { error: { message: 'no such key' } } }, /^fake\/small could not write search tags for skills: .*401.* in an hour/],
  ['cannot be understood', 'I would rather not.', /10 skills could not be understood \(1 call, \d+ tokens/],
] as const)('a model that %s is said once and disturbs nothing', async (_name, answer, message) => {
  const [fake, at] = [await provider(answer), place()];
  const { runtime } = await open(undefined, { place: at, settings: settings(fake.url) });
  const first = await turn(runtime, at, 'mend a thing');
  await tagged(fake, 1);
  const second = await turn(runtime, at, 'mend a thing');
  await sleep(900);
  const third = await turn(runtime, at, 'mend a thing');
  expect([first, second, third].map(({ result }) => result.status)).toEqual(['done', 'done', 'done']);
  expect([first, second, third].flatMap(warnings)).toEqual([expect.stringMatching(message)]);
  expect(taggings(fake)).toHaveLength(1);
  await runtime.close();
  // Nor does the next process try at once.
  const { runtime: later } = await open(undefined, { place: at, settings: settings(fake.url) });
  await turn(later, at, 'mend a thing');
  await sleep(900);
  await later.close();
  expect(taggings(fake)).toHaveLength(1);
});

it('a small model that is not there is said, too', async () => {
  const [fake, at] = [await provider(writesTags), place()];
  const { runtime } = await open(undefined, { place: at, settings: settings(fake.url, { smallModel: 'nobody/small' }) });
  await turn(runtime, at, 'mend a thing');
  await sleep(900);
  expect(warnings(await turn(runtime, at, 'mend a thing'))).toEqual([expect.stringContaining('No provider "nobody"')]);
  await sleep(900);
  expect(warnings(await turn(runtime, at, 'mend a thing'))).toEqual([]);
});

it('a runtime that is closed while the model writes ends at once, and the index is whole', async () => {
  const [fake, at] = [await provider({ fault: { kind: 'hang', afterBytes: 0 } }), place()];
  const { runtime } = await open(undefined, { place: at, settings: settings(fake.url) });
  await turn(runtime, at, 'mend a thing');
  await tagged(fake, 1);
  const before = performance.now();
  await runtime.close();
  expect(performance.now() - before).toBeLessThan(5_000);
  const { runtime: later } = await open(undefined, { place: at, settings: settings(fake.url) });
  const next = await turn(later, at, 'draw pictures of numbers');
  expect(offered(next)).toContain('project:charts');
  expect(warnings(next)).toEqual([]);
});

it('an ephemeral session pays for no tags, since it could not keep them', async () => {
  const [fake, at] = [await provider(writesTags), place()];
  const { runtime } = await open(undefined, { place: at, settings: settings(fake.url), ephemeral: true });
  await turn(runtime, at, 'mend a thing');
  await sleep(900);
  await runtime.close();
  expect(taggings(fake)).toEqual([]);
  expect(fs.existsSync(`${at.data}/cache`)).toBe(false);
});

it('without a small model the model of the session writes', async () => {
  const [fake, at] = [await provider(writesTags), place()];
  const { smallModel: _small, ...rest } = settings(fake.url);
  const { runtime } = await open(undefined, { place: at, settings: rest });
  await finish(await runtime.prompt({ text: 'mend a thing', cwd: at.project, model: 'fake/small' }));
  await tagged(fake, 1);
  expect(taggings(fake)[0]?.body['model']).toBe('small');
});
