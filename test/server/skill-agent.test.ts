import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { makePlace } from '../runtime/open.ts';
import { openServer } from './open-server.ts';

const SKILL = '---\nname: pears\ndescription: Counts pears in a list. Use when somebody asks how many pears there are.\n---\n\n# Pears\n\n1. Count.\n';

it('makes a skill by the skill agent of a prompt, says why there is none, and refuses half of both', async () => {
  const place = makePlace();
  const server = await openServer(scriptedModel([
    ({ messages }) => ({ calls: [{ tool: 'Write', input: { file_path: path.join(/Write it into (.+?)\/NAME\//.exec(textOf(messages[0]?.content ?? []))?.[1] ?? '', 'pears/SKILL.md'), content: SKILL } }] }),
    JSON.stringify({ outcome: 'made', name: 'pears', summary: 'It counts pears.', existing: '' }),
    JSON.stringify({ outcome: 'declined', name: '', summary: 'Pears are counted already.', existing: 'user:pears' }),
  ]), { place });
  const made = await server.ask('POST', '/api/skills', { body: { prompt: 'count pears', source: 'user' } });
  expect(made.status, made.text).toBe(201);
  expect(made.json).toMatchObject({ id: 'user:pears', name: 'pears', trusted: false, summary: 'It counts pears.', warnings: [] });
  expect(fs.readFileSync(path.join(String(made.json['folder']), 'SKILL.md'), 'utf8')).toBe(SKILL);
  expect((await server.ask('GET', '/api/skills')).text).toContain('"id":"user:pears"');
  const declined = await server.ask('POST', '/api/skills', { body: { prompt: 'count pears' } });
  expect([declined.status, declined.json]).toMatchObject([409, { code: 'skill_exists', error: expect.stringContaining('user:pears') }]);
  for (const body of [{ name: 'x' }, { prompt: 'x', description: 'y' }, { name: 'x', description: 'y', source: 'user', model: 'a/b' }]) expect((await server.ask('POST', '/api/skills', { body })).status).toBe(400);
  expect((await server.ask('GET', '/api/sessions')).json['sessions']).toEqual([]);
});
