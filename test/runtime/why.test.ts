import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { makePlace, open, say, writeSkill } from './open.ts';

const find = (query: string) => ({ calls: [{ tool: 'FindTools', input: { query } }] });

it('why tells apart what shares no word, what waits for a file, what was found by search, what is switched off, gone or new', async () => {
  const place = makePlace();
  for (let i = 0; i < 12; i += 1) writeSkill(place, `plum-${i}`, { description: `Handles plums of kind ${i}.` });
  writeSkill(place, 'kettle', { description: 'Boils water.' });
  writeSkill(place, 'snake', { description: 'Plums in code.', frontmatter: 'paths: ["**/*.py"]\n' });
  writeSkill(place, 'pear', { description: 'Handles pears.' });
  writeSkill(place, 'off', { description: 'Handles plums, too.' });
  const model = scriptedModel([find('pears'), 'done', 'two']);
  const { runtime } = await open(model, { place, settings: { sandbox: 'off', skills: { enabled: { off: false } } } });
  const { result } = await say(runtime, { text: 'plums', cwd: place.project });
  const why = async (name: string) => runtime.why(result.session_id, name);
  const first = async (name: string) => (await why(name)).turns[0];
  expect(await first('kettle')).toMatchObject({ outcome: 'not offered', why: 'it shares no word with the message' });
  expect(await first('snake')).toMatchObject({ outcome: 'not offered', why: expect.stringContaining('it waits for a file that matches its paths (**/*.py)') });
  expect(await first('pear')).toMatchObject({ outcome: 'offered', why: 'offered as an answer of FindTools; the model did not load it' });
  expect(await why('off')).toMatchObject({ obstacle: 'it cannot be used: project:off is switched off' });
  const offered = (await Promise.all(Array.from({ length: 12 }, async (_, i) => first(`plum-${i}`)))).map((turn) => turn?.why ?? '');
  expect(offered.filter((text) => /^offered at place \d of 8; the model did not load it$/.test(text))).toHaveLength(8);
  expect(offered.filter((text) => /^ranked at place \d+, and 8 are offered; before it: /.test(text))).toHaveLength(4);
  writeSkill(place, 'plum', { description: 'Plums, plums and plums.' });
  await say(runtime, { text: 'and now?', sessionId: result.session_id });
  expect(await first('plum')).toMatchObject({ outcome: 'not offered', why: expect.stringMatching(/^it would be offered now, at place \d; the library or the skill has changed since$/) });
  fs.rmSync(path.join(place.project, '.agents/skills/pear'), { recursive: true });
  await say(runtime, { text: 'and now?', sessionId: result.session_id });
  expect((await why('pear')).turns.map(({ outcome }) => outcome)).toEqual(['offered', 'known', 'known']);
});
