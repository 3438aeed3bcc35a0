import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, makePlace, open, ownSkill, say, writeSkill } from './open.ts';

const load = (skill: string) => ({ calls: [{ tool: 'Skill', input: { skill } }] });
const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });

it('a skill may run its own script without a question by ${CLAUDE_SKILL_DIR} in its allowed-tools, and nothing beside it', async () => {
  const place = makePlace();
  const folder = path.dirname(ownSkill(place, 'render', 'allowed-tools: Bash(${CLAUDE_SKILL_DIR}/scripts/render.sh *)\n', 'Run ${CLAUDE_SKILL_DIR}/scripts/render.sh.'));
  fs.mkdirSync(path.join(folder, 'scripts'));
  for (const name of ['render.sh', 'render.sh2']) fs.writeFileSync(path.join(folder, 'scripts', name), '#!/bin/sh\necho "$1" > "$1.txt"\n', { mode: 0o755 });
  const model = scriptedModel([load('render'), bash(`${folder}/scripts/render.sh one`), bash(`${folder}/scripts/render.sh2 two`)]);
  const { runtime } = await open(model, { place, settings: { permissions: { mode: 'default' } } });
  const { result } = await say(runtime, { text: 'x', cwd: place.project });
  expect(result).toMatchObject({ status: 'waiting', open: [{ call: { input: { command: `${folder}/scripts/render.sh2 two` } } }] });
  expect(fs.readdirSync(place.project)).toEqual(['one.txt']);
});

it('a forked skill that loads a forked skill gets its instructions, and starts no further run', async () => {
  const place = makePlace();
  writeSkill(place, 'outer', { frontmatter: 'context: fork\n', body: 'BODY OF OUTER' });
  writeSkill(place, 'inner', { frontmatter: 'context: fork\n', body: 'BODY OF INNER' });
  const model = scriptedModel([load('outer'), load('inner'), 'RESULT', 'end']);
  const { runtime } = await open(model, { place });
  const { result, events } = await say(runtime, { text: 'x', cwd: place.project });
  expect(result).toMatchObject({ status: 'done', text: 'end' });
  expect(eventsOf(events, 'agent.started')).toHaveLength(1);
  expect(JSON.stringify(model.requests[2]?.messages)).toContain('BODY OF INNER');
  expect(JSON.stringify(model.requests[3]?.messages)).not.toContain('BODY OF INNER');
});

it('skills that load each other end where the turn ends, each with one copy of its instructions', async () => {
  const place = makePlace();
  writeSkill(place, 'ping', { body: 'BODY OF PING: load the skill pong.' });
  writeSkill(place, 'pong', { body: 'BODY OF PONG: load the skill ping.' });
  const model = scriptedModel([load('ping'), load('pong'), load('ping'), load('pong'), 'end']);
  const { runtime } = await open(model, { place });
  await say(runtime, { text: 'x', cwd: place.project });
  const last = JSON.stringify(model.requests.at(-1)?.messages);
  for (const name of ['PING', 'PONG']) expect(last.split(`BODY OF ${name}`).length - 1).toBe(1);
});
