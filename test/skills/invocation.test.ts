import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseInvocations } from '../../src/skills/activate/invocation.ts';
import type { SkillView } from '../../src/skills/skill-view.ts';
import { viewOf } from './index/open.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;
let resolve: SkillView['resolve'];
let asked: string[];
beforeEach(async () => {
  place = makePlace();
  for (const name of ['deploy', 'review', 'next.js', 'PDF-Tools', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'HOME', 'path', '部署']) place.skill(`home/.claude/skills/${name}`, { name });
  place.skill('home/.claude/skills/quiet', { more: 'user-invocable: no\n' });
  place.skill('home/.claude/skills/manual', { more: 'disable-model-invocation: true\n' });
  place.skill('home/.claude/skills/nobody', { more: 'disable-model-invocation: true\nuser-invocable: false\n' });
  place.skill('home/.claude/plugins/cache/market/tools/1.0.0/skills/lint');
  const view = await viewOf(place, { disabled: new Set(['seven']) });
  asked = [];
  resolve = async (name) => {
    asked.push(name);
    return view.resolve(name);
  };
});
afterEach(() => place.remove());

const parse = async (text: string): Promise<{ calls: string[]; rest: string; refusals: readonly string[] }> => {
  const { invocations, rest, refusals } = await parseInvocations(text, resolve);
  return { calls: invocations.map(({ entry, args }) => (args === undefined ? entry.name : `${entry.name}(${args})`)), rest, refusals };
};

describe('commands', () => {
  test.each([
    ['/deploy', ['deploy()'], ''],
    ['  /deploy  to staging\nnow ', ['deploy(to staging\nnow)'], 'to staging\nnow'],
    ['/DEPLOY x', ['deploy(x)'], 'x'],
    ['/pdf_tools x', ['PDF-Tools(x)'], 'x'],
    ['/next.js x', ['next.js(x)'], 'x'],
    ['/tools:lint src', ['lint(src)'], 'src'],
    ['/plugin:tools:lint src', ['lint(src)'], 'src'],
    ['/user:deploy x', ['deploy(x)'], 'x'],
    ['/部署 生产', ['部署(生产)'], '生产'],
    ['/manual x', ['manual(x)'], 'x'],
    ['/deploy /review all of it', ['deploy(all of it)', 'review(all of it)'], 'all of it'],
    ['/deploy /deploy x', ['deploy(x)'], 'x'],
    ['/deploy /etc/hosts', ['deploy(/etc/hosts)'], '/etc/hosts'],
    ['/deploy /unknown x', ['deploy(/unknown x)'], '/unknown x'],
    ['/one /two /three /four /five /six /review x', ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `${name}(/review x)`), '/review x'],
  ])('%j', async (text, calls, rest) => {
    expect(await parse(text)).toEqual({ calls, rest, refusals: [] });
  });

  test.each(['/etc/passwd is readable', '/deploy/x', '/unknown thing', '/deplyo now', '/ deploy', 'please /deploy', '//deploy', '/', '', '/C:\\x', '/tmp'])('%j stays text', async (text) => {
    expect(await parse(text)).toEqual({ calls: [], rest: text, refusals: [] });
  });

  test('what may not be called by a person says so', async () => {
    expect(await parse('/quiet now')).toEqual({ calls: [], rest: 'now', refusals: ['The skill quiet is not made to be called by name (user-invocable: false); the model loads it where it fits.'] });
    expect((await parse('/nobody')).refusals).toEqual(['The skill nobody cannot be used: neither the model nor a person may call it.']);
    expect((await parse('/seven')).refusals).toEqual(['The skill seven cannot be used: user:seven is switched off.']);
    expect(await parse('/deploy /quiet x')).toMatchObject({ calls: ['deploy(x)'], refusals: [expect.stringContaining('quiet')] });
  });

  test('a name that could be two skills is refused with both', async () => {
    place.skill('home/.claude/skills/a_b', { name: 'a_b' });
    place.skill('home/.claude/skills/a-b', { name: 'a.b' });
    const view = await viewOf(place);
    const { refusals, invocations } = await parseInvocations('/A-B x', async (name) => view.resolve(name));
    expect(invocations).toEqual([]);
    expect(refusals[0]).toMatch(/could be a[._]b or a[._]b\. Name one of these/);
  });
});

describe('mentions', () => {
  test.each([
    ['use $deploy for this', ['deploy']],
    ['$deploy', ['deploy']],
    ['($deploy, then "$review".)', ['deploy', 'review']],
    ['with $next.js.', ['next.js']],
    ['$tools:lint it', ['lint']],
    ['请用$deploy部署', ['deploy']],
    ['$deploy and $deploy', ['deploy']],
    ['$manual', ['manual']],
  ])('%j', async (text, calls) => {
    expect(await parse(text)).toEqual({ calls, rest: text, refusals: [] });
  });

  test.each(['$HOME/bin', 'echo $PATH $HOME', '$1 costs $1.00', '$Deploy', '$deplo', 'x$deploy', '\\$deploy', '${deploy}', 'A=$deploy', '$$deploy', 'run `echo $deploy`', '```\n$deploy\n```', '/x/$deploy', '$unknown'])('%j is none', async (text) => {
    expect(await parse(text)).toEqual({ calls: [], rest: text, refusals: [] });
  });

  test('beside a command, and never more than six skills', async () => {
    expect(await parse('/deploy with $review')).toMatchObject({ calls: ['deploy(with $review)', 'review'], rest: 'with $review' });
    expect((await parse('$one $two $three $four $five $six $deploy')).calls).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
    expect((await parse('$quiet')).refusals).toHaveLength(1);
  });

  test('a text full of dollar signs costs few questions', async () => {
    await parse(Array.from({ length: 5_000 }, (_, i) => `$word${i}`).join(' '));
    expect(asked.length).toBeLessThanOrEqual(20);
    asked = [];
    await parse('no dollar and no slash here');
    expect(asked).toEqual([]);
  });
});
