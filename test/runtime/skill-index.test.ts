import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { INDEX_MIGRATIONS } from '../../src/skills/index/index-schema.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, makePlace, open, say, writeSkill } from './open.ts';

const indexOf = (place: { readonly home: string }): string => path.join(place.home, '.skillmint', 'cache', 'skills.db');

/** More than any machine reads in the time that a first turn gives. */
const MANY = 8_000;

it('with more skills than can be read in time, the turn says so, and later ones have them all', async () => {
  const place = makePlace();
  for (let i = 0; i < MANY; i += 1) writeSkill(place, `s${i}`, { description: `Deals with matter${i}.` });
  const told: number[] = [];
  const { runtime } = await open(scriptedModel(['one', 'two']), { place, onSkillIndexing: ({ done }) => told.push(done) });
  const first = await say(runtime, { text: 'matter1', cwd: place.project });
  expect(eventsOf(first.events, 'warning').map(({ code }) => code)).toContain('skills_incomplete');
  expect(eventsOf(first.events, 'session.started')[0]?.skills_total).toBeLessThan(MANY);
  // What is not finished with this process is gone on with by the next.
  await runtime.close();
  for (let i = 0; i < 60; i += 1) {
    const { runtime: next } = await open(scriptedModel(['later']), { place });
    const { events } = await say(next, { text: `matter${MANY - 1}`, cwd: place.project });
    await next.close();
    if (eventsOf(events, 'warning').some(({ code }) => code === 'skills_incomplete')) continue;
    expect(eventsOf(events, 'session.started')[0]?.skills_total).toBeGreaterThanOrEqual(MANY);
    expect(eventsOf(events, 'skill.offered')[0]?.skills[0]?.id).toBe(`project:s${MANY - 1}`);
    expect(told.length).toBeGreaterThan(0);
    return;
  }
  throw new Error('the skills were never all read');
}, 120_000);

it('an index of a newer version is left alone, and the turn says that it goes without', async () => {
  const place = makePlace();
  writeSkill(place, 'charts', { description: 'Draws charts.' });
  openSqlite(indexOf(place), [...INDEX_MIGRATIONS, { version: 1_000, name: 'to come', sql: 'CREATE TABLE more (x)' }]).close();
  const before = fs.readFileSync(indexOf(place));
  const { runtime } = await open(scriptedModel(['one']), { place });
  const { events } = await say(runtime, { text: 'draw a chart', cwd: place.project });
  expect(eventsOf(events, 'warning').find(({ code }) => code === 'skill_index')?.message).toMatch(/newer skillmint/);
  expect(eventsOf(events, 'skill.offered')[0]?.skills[0]?.id).toBe('project:charts');
  await runtime.close();
  expect(fs.readFileSync(indexOf(place)).equals(before)).toBe(true);
});

it('an ephemeral session leaves nothing in the data folder', async () => {
  const place = makePlace();
  writeSkill(place, 'charts', { description: 'Draws charts.' });
  const { runtime } = await open(scriptedModel(['one']), { place, ephemeral: true });
  const { events } = await say(runtime, { text: 'draw a chart', cwd: place.project });
  expect(eventsOf(events, 'skill.offered')[0]?.skills[0]?.id).toBe('project:charts');
  expect(await runtime.skills(place.project)).toMatchObject({ complete: true });
  await runtime.close();
  expect(fs.existsSync(path.join(place.home, '.skillmint', 'cache'))).toBe(false);
});

it('a skill that is made between two turns is offered in the second, and refreshSkills counts it', async () => {
  const place = makePlace();
  writeSkill(place, 'charts', { description: 'Draws charts.' });
  const { runtime } = await open(scriptedModel(['one', 'two']), { place });
  const { result } = await say(runtime, { text: 'hello', cwd: place.project });
  const before = await runtime.refreshSkills(place.project);
  writeSkill(place, 'zebras', { description: 'Counts zebras.' });
  const { events } = await say(runtime, { text: 'count the zebras', sessionId: result.session_id });
  expect(eventsOf(events, 'skill.offered')[0]?.skills[0]?.id).toBe('project:zebras');
  expect(await runtime.refreshSkills(place.project)).toBe(before + 1);
  await runtime.close();
});
