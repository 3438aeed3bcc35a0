import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel, type ScriptedStep } from '../../src/testing/scripted-model.ts';
import { makePlace } from '../runtime/open.ts';
import { withoutBubblewrap } from '../e2e/program.ts';
import { openServer } from './open-server.ts';
import { openUsers } from './open-users.ts';

const SKILL = '---\nname: pears\ndescription: Counts pears in a list. Use when somebody asks how many pears there are.\n---\n\n# Pears\n\n1. Count.\n';

const writes: ScriptedStep = ({ messages }) => ({ calls: [{ tool: 'Write', input: { file_path: path.join(/Write it into (.+?)\/NAME\//.exec(textOf(messages[0]?.content ?? []))?.[1] ?? '', 'pears/SKILL.md'), content: SKILL } }] });
const MADE = JSON.stringify({ outcome: 'made', name: 'pears', summary: 'It counts pears.', existing: '' });

it.skipIf(withoutBubblewrap)('works for a user of a server in their own data, and nowhere else', async () => {
  const server = await openUsers({ model: scriptedModel([writes, MADE]) });
  const [ada, bert] = [await server.user('ada'), await server.user('bert')];
  const made = await ada.ask('POST', '/api/skills', { body: { prompt: 'count pears', source: 'user' } });
  expect(made.status, made.text).toBe(201);
  expect(String(made.json['folder'])).toBe(path.join(ada.data, 'skills/pears'));
  expect((await bert.ask('GET', '/api/skills')).text).not.toContain('pears');
  expect((await bert.ask('POST', '/api/skills', { body: { prompt: 'count pears', cwd: ada.workspace } })).status).toBe(403);
});

it('makes a skill by the skill agent of a prompt, says why there is none, and refuses half of both', async () => {
  const place = makePlace();
  const server = await openServer(scriptedModel([
    writes, MADE,
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
