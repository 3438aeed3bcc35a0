import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { skillMd } from '../skills/library/archives.ts';
import { eventsOf, FREE, makePlace, run, sessionOf, withProvider, type Ended } from './program.ts';

it('while a session goes on, other processes install, change and remove the skill that it uses', { timeout: 60_000 }, async () => {
  const place = makePlace();
  const load = { calls: [{ name: 'Skill', input: { skill: 'tea' } }] };
  const provider = await withProvider(place, { steps: ['one', load, 'two', 'three', load, 'four', 'five'] });
  const write = (text: string): void => {
    fs.mkdirSync(path.join(place.root, 'tea'), { recursive: true });
    fs.writeFileSync(path.join(place.root, 'tea/SKILL.md'), skillMd('tea', 'Brews tea.', text));
  };
  const skills = async (...args: readonly string[]): Promise<Ended> => {
    const ended = await run(place, ['skills', ...args]);
    expect({ args, code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    return ended;
  };
  let session: string | undefined;
  const turn = async (text: string) => {
    const ended = await run(place, ['run', text, ...FREE, '--output', 'stream-json', ...(session === undefined ? [] : ['--session', session])]);
    expect({ text, code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    const events = eventsOf(ended.stdout);
    session = sessionOf(events);
    return events;
  };
  const sent = (index: number): string => JSON.stringify(provider.requests[index]?.body);

  await turn('brew tea');
  write('FIRST TEXT');
  await skills('install', path.join(place.root, 'tea'));
  await turn('brew tea now');
  expect(sent(1)).toContain('- tea: Brews tea.');
  expect(sent(2)).toContain('FIRST TEXT');

  write('SECOND TEXT');
  await skills('update', '--yes');
  const changed = await turn('go on');
  expect(changed.filter(({ type }) => type === 'warning').map(({ message }) => message)).toEqual([expect.stringContaining('user:tea')]);
  expect(sent(3)).not.toContain('SECOND TEXT');
  await turn('load it again');
  expect(sent(5)).toContain('SECOND TEXT');

  await skills('remove', 'tea', '--yes');
  const gone = await turn('go on');
  expect(gone.filter(({ type }) => type === 'warning').map(({ message }) => message)).toEqual([expect.stringMatching(/user:tea are no longer there/)]);
  const why = await skills('why', 'tea', '--session', session ?? '', '--json');
  expect(JSON.parse(why.stdout)).toMatchObject({ skill_id: 'user:tea', obstacle: 'it is not among the skills of now', turns: [{ outcome: 'not offered' }, { outcome: 'loaded', why: 'the model called it, after it had been offered' }, { outcome: 'known' }, { outcome: 'loaded' }, { outcome: 'known' }] });
  const not = await skills('why', '--not', 'tea', '--session', session ?? '');
  expect(not.stdout.match(/^ {2}(loaded|known|not offered):/gm)).toEqual(['  not offered:', '  known:', '  known:']);
  expect(await run(place, ['skills', 'why', 'coffee', '--session', session ?? ''])).toMatchObject({ code: 5, stderr: expect.stringContaining('There is no skill "coffee"') });
});
