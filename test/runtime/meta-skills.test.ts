import { expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, makePlace, open, ownSkill, say } from './open.ts';

const META = ['skill-creator', 'enhancing-skills', 'evaluating-skills'];

it('turns are neither offered skills about skills nor find them, until the setting says so; their name loads them, and lists show them', async () => {
  const place = makePlace();
  ownSkill(place, 'mine', 'type: Meta\n');
  const steps = [{ calls: [{ tool: 'FindTools', input: { query: 'make a skill' } }] }, 'done'];
  const model = scriptedModel([...steps, 'created', 'no', ...steps]);
  const { runtime } = await open(model, { place });
  const plain = await say(runtime, { text: 'make a skill and evaluate it', cwd: place.project });
  expect(eventsOf(plain.events, 'skill.offered').flatMap(({ skills }) => skills.map(({ id }) => id))).toEqual(['bundled:orders-report']);
  expect(JSON.stringify(model.requests)).not.toMatch(/skill-creator|evaluating-skills|mine:/);
  const called = await say(runtime, { text: '/skill-creator for pears', cwd: place.project });
  expect(eventsOf(called.events, 'skill.activated')).toMatchObject([{ skill_id: 'bundled:skill-creator', trigger: 'user' }]);
  expect(textOf(model.requests[2]?.messages[0]?.content ?? [])).toContain('Should there be a skill?');
  const why = await runtime.why(plain.result.session_id, 'skill-creator');
  expect(why.obstacle).toContain('skills.offerMeta');
  const listed = await (await runtime.library(place.project)).list();
  expect(listed.filter(({ type }) => type === 'meta').map(({ name }) => name).sort()).toEqual([...META, 'mine'].sort());
  await runtime.close();
  const offering = await open(scriptedModel(steps), { place, settings: { skills: { offerMeta: true } } });
  const { events } = await say(offering.runtime, { text: 'make a skill', cwd: place.project });
  expect(eventsOf(events, 'skill.offered').flatMap(({ skills }) => skills.map(({ id }) => id))).toEqual(expect.arrayContaining(META.map((name) => `bundled:${name}`)));
});
