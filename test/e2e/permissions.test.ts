import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { eventsOf, exported, makePlace, MODEL, oneLineOf, run, sessionOf, withProvider, type Ended, type Place, type Printed } from './program.ts';

const BARE = [...MODEL, '--sandbox', 'off'] as const;
const write = (file: string): FakeStep => ({ calls: [{ name: 'Write', input: { file_path: file, content: 'text\n' } }] });
const bash = (command: string): FakeStep => ({ calls: [{ name: 'Bash', input: { command } }] });

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const made = (name = 'a.txt'): boolean => fs.existsSync(path.join(place.project, name));
const statuses = ({ stdout }: Ended): readonly unknown[] => eventsOf(stdout).filter((event) => event.type === 'tool.completed').map((event) => event['status']);

/** Runs until the session waits, and tells its id and what it asks. */
async function untilItWaits(args: readonly string[]): Promise<{ readonly session: string; readonly asked: Printed }> {
  const ended = await run(place, [...args, '--output', 'stream-json']);
  expect(ended.code).toBe(3);
  const events = eventsOf(ended.stdout);
  const asked = events.find((event) => event.type === 'permission.requested' || event.type === 'question.asked');
  if (!asked) throw new Error('nothing was asked');
  expect(events.at(-1)).toMatchObject({ type: 'turn.completed', status: 'waiting' });
  expect(ended.stderr).toContain(`skillmint answer ${sessionOf(events)}`);
  return { session: sessionOf(events), asked };
}

describe('permission modes', () => {
  it.each([
    ['default', 3, [], false],
    ['acceptEdits', 0, ['ok'], true],
    ['plan', 0, ['denied'], false],
    ['dontAsk', 0, ['denied'], false],
    ['unrestricted', 0, ['ok'], true],
    ['bypassPermissions', 0, ['ok'], true],
  ] as const)('%s and a file in the workspace', async (mode, code, results, exists) => {
    await withProvider(place, { steps: [write('a.txt'), 'done'] });
    const ended = await run(place, ['run', 'x', ...BARE, '--permission-mode', mode, '--output', 'stream-json']);
    expect(ended.code).toBe(code);
    expect(statuses(ended)).toEqual(results);
    expect(made()).toBe(exists);
  });

  it('acceptEdits still asks for commands, for protected files and outside of the workspace', async () => {
    for (const step of [bash('touch a.txt'), write('.git/hooks/pre-commit'), write('../outside.txt'), write('.skillmint/config.json')]) {
      await withProvider(place, { steps: [step, 'done'] });
      expect((await run(place, ['run', 'x', ...BARE, '--permission-mode', 'acceptEdits'])).code).toBe(3);
    }
    expect(fs.readdirSync(place.project)).toEqual([]);
  });

  it('deny rules hold in every mode, and win over allow rules', async () => {
    for (const mode of ['default', 'unrestricted']) {
      await withProvider(place, { steps: [bash('touch a.txt'), 'done'] });
      const ended = await run(place, ['run', 'x', ...BARE, '--permission-mode', mode, '--allow', 'Bash(touch:*)', '--deny', 'Bash(touch:*)', '--output', 'stream-json']);
      expect([ended.code, statuses(ended), made()]).toEqual([0, ['denied'], false]);
    }
  });

  it('allow rules let pass what they name and no more', async () => {
    await withProvider(place, { steps: [bash('touch a.txt'), bash('touch b.txt; touch c.txt'), 'done'] });
    expect((await run(place, ['run', 'x', ...BARE, '--allow', 'Bash(touch a.txt)'])).code).toBe(3);
    expect([made('a.txt'), made('b.txt'), made('c.txt')]).toEqual([true, false, false]);
  });

  it('--add-dir makes a folder part of the workspace', async () => {
    const other = path.join(place.root, 'other');
    fs.mkdirSync(other);
    const file = path.join(other, 'a.txt');
    await withProvider(place, { steps: [write(file), 'done'] });
    expect((await run(place, ['run', 'x', ...BARE, '--permission-mode', 'acceptEdits'])).code).toBe(3);
    await withProvider(place, { steps: [write(file), 'done'] });
    expect((await run(place, ['run', 'x', ...BARE, '--permission-mode', 'acceptEdits', '--add-dir', other])).code).toBe(0);
    expect(fs.readFileSync(file, 'utf8')).toBe('text\n');
  });

  it('rules of a project that is not trusted may deny, and allow nothing', async () => {
    fs.mkdirSync(path.join(place.project, '.skillmint'));
    fs.writeFileSync(path.join(place.project, '.skillmint/config.json'), JSON.stringify({ permissions: { allow: ['Bash(touch:*)'], deny: ['Read(secret.txt)'], mode: 'unrestricted' } }));
    fs.writeFileSync(path.join(place.project, 'secret.txt'), 'hidden');
    await withProvider(place, { steps: [{ calls: [{ name: 'Read', input: { file_path: 'secret.txt' } }] }, bash('touch a.txt'), 'done'] });
    const ended = await run(place, ['run', 'x', ...BARE, '--output', 'stream-json']);
    expect([ended.code, statuses(ended), made()]).toEqual([3, ['denied'], false]);
    expect(ended.stdout).toContain('not trusted');
  });
});

describe('answer', () => {
  it('--allow runs the call, in another process, once', async () => {
    await withProvider(place, { steps: [bash('echo once >> a.txt'), 'done'] });
    const { session } = await untilItWaits(['run', 'x', ...BARE]);
    expect(made()).toBe(false);
    expect(await run(place, ['answer', session, '--allow'])).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(fs.readFileSync(path.join(place.project, 'a.txt'), 'utf8')).toBe('once\n');
    const again = await run(place, ['answer', session, '--allow']);
    expect(again.code).toBe(5);
    expect(oneLineOf(again)).toContain('waits for nothing');
    expect(fs.readFileSync(path.join(place.project, 'a.txt'), 'utf8')).toBe('once\n');
  });

  it('--deny tells the model why, and nothing runs', async () => {
    const provider = await withProvider(place, { steps: [bash('touch a.txt'), 'understood'] });
    const { session } = await untilItWaits(['run', 'x', ...BARE]);
    expect(await run(place, ['answer', session, '--deny', '--reason', 'use the staging host'])).toMatchObject({ code: 0, stdout: 'understood\n' });
    expect(provider.requests[1]?.text).toContain('use the staging host');
    expect(made()).toBe(false);
  });

  it('--always stores the rule that was shown: it holds in the next session of the folder and in no other', async () => {
    await withProvider(place, { steps: [bash('touch a.txt'), 'done', bash('touch a.txt'), 'done', bash('touch a.txt'), 'done'] });
    const { session, asked } = await untilItWaits(['run', 'x', ...BARE]);
    expect(asked['rules']).toEqual([expect.stringMatching(/^Bash\(/)]);
    expect((await run(place, ['answer', session, '--always'])).code).toBe(0);
    expect((await run(place, ['run', 'again', ...BARE])).code).toBe(0);
    const other = path.join(place.root, 'other');
    fs.mkdirSync(other);
    expect((await run(place, ['run', 'again', ...BARE, '--cwd', other])).code).toBe(3);
  });

  it('names the request, and refuses one that is not open (C-R6)', async () => {
    await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command: 'touch a.txt' } }, { name: 'Bash', input: { command: 'touch b.txt' } }] }, 'done'] });
    const { session } = await untilItWaits(['run', 'x', ...BARE]);
    const shown: unknown = JSON.parse((await run(place, ['sessions', 'show', session, '--json'])).stdout);
    const open = (await exported(place, session)).filter((event) => event.type === 'permission.requested').map((event) => String(event['request_id']));
    expect(shown).toMatchObject({ status: 'waiting', open: open.map((request_id) => ({ request_id, tool: 'Bash' })) });
    const [first = '', second = ''] = open;
    const wrong = await run(place, ['answer', session, '--allow', '--request', 'req_none']);
    expect(wrong.code).toBe(5);
    expect(oneLineOf(wrong)).toContain('Request req_none');
    expect((await run(place, ['answer', session, '--allow', '--request', second])).code).toBe(3);
    expect([made('a.txt'), made('b.txt')]).toEqual([false, true]);
    expect((await run(place, ['answer', session, '--allow', '--request', second])).code).toBe(5);
    expect((await run(place, ['answer', session, '--deny', '--request', first])).code).toBe(0);
    expect([made('a.txt'), made('b.txt')]).toEqual([false, true]);
  });

  it('a text answers a question, and only that', async () => {
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'AskUserQuestion', input: { question: 'Which host?', options: ['staging', 'live'] } }] }, 'thanks'] });
    const { session, asked } = await untilItWaits(['run', 'x', ...BARE]);
    expect(asked).toMatchObject({ question: 'Which host?', options: ['staging', 'live'] });
    const wrong = await run(place, ['answer', session, '--allow']);
    expect([wrong.code, oneLineOf(wrong)]).toEqual([2, expect.stringContaining('Which host?')]);
    expect(await run(place, ['answer', session, 'the staging one'])).toMatchObject({ code: 0, stdout: 'thanks\n' });
    expect(provider.requests[1]?.text).toContain('the staging one');
  });

  it('a text is no consent', async () => {
    await withProvider(place, { steps: [bash('touch a.txt'), 'done'] });
    const { session } = await untilItWaits(['run', 'x', ...BARE]);
    const ended = await run(place, ['answer', session, 'yes']);
    expect([ended.code, oneLineOf(ended)]).toEqual([2, expect.stringContaining('--allow, --always or --deny')]);
    expect(made()).toBe(false);
  });

  it('a message instead of an answer closes the request, and the call does not run', async () => {
    const provider = await withProvider(place, { steps: [bash('touch a.txt'), 'other work done'] });
    const { session } = await untilItWaits(['run', 'x', ...BARE]);
    expect(await run(place, ['run', 'forget it', '--session', session, ...BARE])).toMatchObject({ code: 0, stdout: 'other work done\n' });
    expect(provider.requests[1]?.text).toContain('sent a new message instead');
    expect([(await run(place, ['answer', session, '--allow'])).code, made()]).toEqual([5, false]);
  });
});
