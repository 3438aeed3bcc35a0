import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { ScriptConsent, ScriptQuestion, SkillToolCall, SkillToolResult } from '../../src/runtime/skill-tools/skill-tool.ts';
import { processesWith } from '../helpers/processes-with.ts';
import { withoutBubblewrap } from '../sandbox/helpers.ts';
import { open, type Place } from './open.ts';

interface Tools {
  readonly place: Place;
  /** Writes files of a skill, the person's own or of the project; gives its folder. */
  readonly skill: (name: string, files: Readonly<Record<string, string>>, root?: string) => string;
  readonly call: (name: string, input: JsonObject, context?: SkillToolCall) => Promise<SkillToolResult>;
}

async function openTools(allow: readonly string[] = []): Promise<Tools> {
  const { runtime, place } = await open(undefined, { settings: { permissions: { mode: 'default', allow: [...allow] } } });
  const { tools } = await runtime.skillTools({ cwd: place.project });
  return {
    place,
    skill(name, files, root = path.join(place.data, 'skills')) {
      const folder = path.join(root, name);
      for (const [file, text] of Object.entries({ 'SKILL.md': `---\nname: ${name}\ndescription: The work of ${name}.\n---\nBody.\n`, ...files })) {
        fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        fs.writeFileSync(path.join(folder, file), text, { mode: file.endsWith('.sh') ? 0o755 : 0o644 });
      }
      return folder;
    },
    call: async (name, input, context) => await (tools.find((tool) => tool.name === name) ?? fail(name)).call(input, context),
  };
}

function fail(name: string): never {
  throw new Error(`there is no tool ${name}`);
}

/** A person who answers the same each time, and what they were asked. */
function person(answer: ScriptConsent, meanwhile: () => void = () => undefined): { readonly asked: ScriptQuestion[]; readonly ask: NonNullable<SkillToolCall['ask']> } {
  const asked: ScriptQuestion[] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      meanwhile();
      return answer;
    },
  };
}

describe('the arguments of skill tools', () => {
  it.each([
    ['find_skills', {}, /find_skills needs the argument "query"/],
    ['find_skills', { query: '' }, /query/],
    ['find_skills', { query: 'x', limit: 3 }, /no argument "limit"; it takes query, k/],
    ['find_skills', { query: 'x', k: 1.5 }, /k/],
    ['load_skill', { skill: ['own'] }, /load_skill: .*skill/],
    ['read_skill_file', { skill: 'own' }, /needs the argument "path"/],
    ['run_skill_script', { skill: 'own', script: 'run.sh', args: [{}] }, /args/],
  ])('%s %j are refused in one sentence', async (name, input, says) => {
    const { text, isError } = await (await openTools()).call(name, input);
    expect({ text, isError }).toEqual({ text: expect.stringMatching(says), isError: true });
    expect(text).not.toContain('\n');
  });

  it('that can mean only one thing are put right', async () => {
    const { skill, call } = await openTools();
    skill('own', {});
    expect((await call('find_skills', { query: 'the work of own', k: '1' })).data).toMatchObject({ skills: [{ id: 'user:own' }] });
  });
});

describe('consent to a script', () => {
  it('is asked for with all that would run, and never about what is not there', async () => {
    const { skill, call } = await openTools();
    skill('own', { 'run.sh': '#!/bin/sh\necho ran\n' });
    const { asked, ask } = person('no');
    expect((await call('run_skill_script', { skill: 'own', script: 'none.sh' }, { ask })).text).toContain('has no file none.sh');
    expect((await call('run_skill_script', { skill: 'own', script: '../own/run.sh' }, { ask })).text).toContain('leads upward');
    expect(asked).toEqual([]);
    const inputs = [{ args: ['a\u202eb'], stdin: 'one' }, { args: ['a\u202eb'], stdin: 'two' }, { args: ['x'.repeat(5_000)] }, { args: [`${'x'.repeat(4_999)}y`] }];
    for (const input of inputs) await call('run_skill_script', { skill: 'own', script: 'run.sh', ...input }, { ask });
    expect(asked[0]?.text).toContain('Call: "run.sh" "a\\u202eb"\nStandard input: "one"');
    expect(asked[3]?.text).toContain('(5011 characters)');
    expect(new Set(asked.map(({ id }) => id)).size).toBe(4);
  });

  it.skipIf(withoutBubblewrap)('is to content: what is changed before the start does not run (needs bubblewrap)', async () => {
    const { skill, call } = await openTools();
    const folder = skill('own', { 'run.sh': '#!/bin/sh\necho agreed\n' });
    const { ask } = person('once', () => fs.writeFileSync(path.join(folder, 'run.sh'), '#!/bin/sh\necho another\n'));
    expect(await call('run_skill_script', { skill: 'own', script: 'run.sh' }, { ask })).toMatchObject({ isError: true, text: expect.stringContaining('not as it was when its script was agreed to'), data: { code: 'not_trusted' } });
  });

  it.skipIf(withoutBubblewrap)('holds for a copy: what is changed while it runs is not seen, links and rights are as they were (needs bubblewrap)', async () => {
    const { skill, call, place } = await openTools(['run_skill_script']);
    const folder = skill('own', { 'run.sh': '#!/bin/sh\necho started\nsleep 1\ncat "$SKILL_DIR/data.txt" "$SKILL_DIR/lib/more.txt"; "$SKILL_DIR/bin/help.sh"; "$SKILL_DIR/data.txt"; echo "in $SKILL_DIR"\n', 'data.txt': 'old\n', 'texts/more.txt': 'more\n', 'bin/help.sh': '#!/bin/sh\necho helped\n' });
    fs.symlinkSync('texts', path.join(folder, 'lib'));
    const result = await call('run_skill_script', { skill: 'own', script: 'run.sh' }, { onOutput: () => fs.writeFileSync(path.join(folder, 'data.txt'), 'new\n') });
    expect(result.data).toMatchObject({ stdout: expect.stringMatching(/^started\nold\nmore\nhelped\nin /), stderr: expect.stringMatching(/permission denied/i), exitCode: 0 });
    expect(result.text).not.toContain(`in ${folder}`);
    expect(fs.existsSync(path.join(place.data, '.skillmint-work'))).toBe(false);
  });

  it('cannot be given where nobody can say what would run', async () => {
    const { skill, call, place } = await openTools(['run_skill_script']);
    const folder = skill('own', { 'run.sh': '#!/bin/sh\necho ran\n' });
    fs.symlinkSync(place.home, path.join(folder, 'out'));
    expect(await call('run_skill_script', { skill: 'own', script: 'run.sh' })).toMatchObject({ isError: true, text: expect.stringMatching(/cannot be checked as a whole.*out is a link to/) });
  });

  it.skipIf(withoutBubblewrap)('for good is kept only for content that the person trusts (needs bubblewrap)', async () => {
    const { skill, call, place } = await openTools();
    skill('stranger', { 'run.sh': '#!/bin/sh\necho ran\n' }, path.join(place.project, '.skillmint/skills'));
    skill('own', { 'run.sh': '#!/bin/sh\necho ran\n' });
    const { asked, ask } = person('always');
    for (const name of ['stranger', 'stranger', 'own', 'own']) expect((await call('run_skill_script', { skill: name, script: 'run.sh' }, { ask })).text).toContain('ran');
    expect(asked.map(({ skillId, trusted }) => [skillId, trusted])).toEqual([['project:stranger', false], ['project:stranger', false], ['user:own', true]]);
  });
});

describe.skipIf(withoutBubblewrap)('scripts that run (need bubblewrap)', () => {
  it('give what fits an answer, as text and as data', async () => {
    const { skill, call } = await openTools(['run_skill_script']);
    skill('own', { 'run.sh': '#!/bin/sh\nhead -c 3000000 /dev/zero | tr "\\0" x\n' });
    const { text, data } = await call('run_skill_script', { skill: 'own', script: 'run.sh' });
    expect(text).toMatch(/^exit code 0, output cut at its limit\n/);
    expect([text.length < 60_000, JSON.stringify(data).length < 60_000, data?.['truncated']]).toEqual([true, true, true]);
  });

  it('are eight at a time, and one that waits can be stopped', async () => {
    const { skill, call, place } = await openTools(['run_skill_script']);
    const mark = path.basename(path.dirname(place.home));
    skill('own', { 'run.sh': '#!/bin/sh\nsh -c "sleep 1; exit" $1\n' });
    const run = (context?: SkillToolCall): Promise<SkillToolResult> => call('run_skill_script', { skill: 'own', script: 'run.sh', args: [mark] }, context);
    const runs = Array.from({ length: 10 }, () => run());
    const stop = new AbortController();
    const late = run({ signal: stop.signal });
    let most = 0;
    const look = setInterval(() => { most = Math.max(most, processesWith(`sleep 1; exit\0${mark}`).length); }, 50);
    setTimeout(() => stop.abort(), 100);
    expect(await late).toMatchObject({ isError: true, text: expect.stringContaining('stopped before') });
    expect((await Promise.all(runs)).map(({ isError }) => isError)).toEqual(Array.from({ length: 10 }, () => false));
    clearInterval(look);
    expect([most > 1, most <= 8]).toEqual([true, true]);
  }, 30_000);
});
