import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import type { FakeRequest } from '../../src/testing/fake-provider/script.ts';
import { eventsOf, exported, FREE, makePlace, oneLineOf, run, sessionOf, start, withProvider, writeSkill, type Ended, type Place, type Printed } from './program.ts';

const HANG = { text: 'never', fault: { kind: 'hang', afterBytes: 0 } } as const;
const bash = (command: string, more: object = {}) => ({ calls: [{ name: 'Bash', input: { command, ...more } }] });

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const file = (name: string): string => path.join(place.project, name);
const lines = (name: string): readonly string[] => (fs.existsSync(file(name)) ? fs.readFileSync(file(name), 'utf8').split('\n').filter(Boolean) : []);

/** Runs a turn and kills the program as soon as `when` says so; gives the session and all that was shown. */
async function cutOff(when: (event: Printed) => boolean | Promise<boolean>, args: readonly string[] = ['work', ...FREE]): Promise<{ readonly session: string; readonly shown: readonly Printed[] }> {
  const looks: Promise<void>[] = [];
  const look = async (event: Printed): Promise<void> => {
    if (await when(event)) program.child.kill('SIGKILL');
  };
  const program = start(place, ['run', ...args, '--output', 'stream-json'], {
    onLine: (line) => {
      const [event] = eventsOf(`${line}\n`);
      if (event) looks.push(look(event));
    },
  });
  const ended = await program.ended;
  await Promise.all(looks);
  expect(ended.signal, ended.stderr).toBe('SIGKILL');
  const shown = eventsOf(ended.stdout);
  return { session: sessionOf(shown), shown };
}

async function until(condition: () => boolean): Promise<boolean> {
  await expect.poll(condition, { timeout: 20_000, interval: 10 }).toBe(true);
  return true;
}

const goOn = (session: string, ...args: readonly string[]): Promise<Ended> => run(place, ['run', '--session', session, ...args]);
const messages = (request: FakeRequest | undefined): readonly unknown[] => (Array.isArray(request?.body['messages']) ? request.body['messages'] : []);
const ofType = (log: readonly Printed[], type: string): readonly Printed[] => log.filter((event) => event.type === type);

describe('a turn that was cut off goes on as the same turn', () => {
  it('in the middle of a request: the same request is made again', async () => {
    const provider = await withProvider(place, { steps: [bash('echo once >> log'), HANG, 'All done.'] });
    const { session, shown } = await cutOff((event) => event.type === 'tool.completed' && until(() => provider.requests.length === 2));
    const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout);
    expect(sessions).toMatchObject([{ session_id: session, status: 'interrupted' }]);
    const again = await run(place, ['run', '--continue']);
    expect([again.code, again.stdout, lines('log')]).toEqual([0, 'All done.\n', ['once']]);
    expect(messages(provider.requests[2])).toEqual(messages(provider.requests[1]));
    const log = await exported(place, session);
    expect(log.slice(0, shown.length)).toEqual(shown);
    expect(ofType(log, 'turn.started')).toHaveLength(1);
    expect(log.at(-1)).toMatchObject({ type: 'turn.completed', status: 'done', turn_id: ofType(log, 'turn.started')[0]?.['turn_id'] });
    expect(ofType(log, 'turn.resumed')).toHaveLength(1);
  });

  it('in the middle of a command: it is not run again, and the model is told', async () => {
    const provider = await withProvider(place, { steps: [bash('echo once >> log; sleep 600'), 'I look first.'] });
    const { session } = await cutOff((event) => event.type === 'tool.started' && until(() => lines('log').length === 1));
    expect(await goOn(session)).toMatchObject({ code: 0, stdout: 'I look first.\n' });
    expect(lines('log')).toEqual(['once']);
    expect(provider.requests[1]?.text).toContain('outcome is unknown; check before you repeat it');
  });

  it('in the middle of a call that changes nothing: it is made again, and its hooks are not', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: 'echo pre >> hooks' }] }], PostToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: 'echo post >> hooks; [ -e go ] || sleep 600' }] }] } as const;
    fs.writeFileSync(file('data.txt'), 'the content');
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'Read', input: { file_path: 'data.txt' } }] }, 'Read it.'], settings: { hooks } });
    const { session } = await cutOff((event) => event.type === 'tool.started' && until(() => lines('hooks').length === 2));
    fs.writeFileSync(file('go'), '');
    expect(await goOn(session)).toMatchObject({ code: 0, stdout: 'Read it.\n' });
    expect(lines('hooks')).toEqual(['pre', 'post', 'post']);
    expect(provider.requests[1]?.text).toContain('the content');
    const log = await exported(place, session);
    expect([ofType(log, 'tool.started').length, ofType(log, 'tool.completed').map((event) => event['status'])]).toEqual([2, ['ok']]);
  });

  it('before its prompt had passed the hooks: they decide, and skills that it calls are loaded', async () => {
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo prompt >> hooks; [ -e go ] || sleep 600' }] }] } as const;
    writeSkill(path.join(place.project, '.agents/skills'), { name: 'howto', body: 'BODY OF HOWTO' });
    const provider = await withProvider(place, { steps: ['Done as it says.'], settings: { hooks } });
    const { session } = await cutOff((event) => event.type === 'turn.started' && until(() => lines('hooks').length === 1), ['/howto now', ...FREE]);
    fs.writeFileSync(file('go'), '');
    expect(await goOn(session)).toMatchObject({ code: 0, stdout: 'Done as it says.\n' });
    expect(lines('hooks')).toEqual(['prompt', 'prompt']);
    expect(provider.requests[0]?.text).toContain('BODY OF HOWTO');
  });

  it.each([
    ['of a skill', { name: 'Skill', input: { skill: 'helper' } }],
    ['of a task', { name: 'Task', input: { prompt: 'help out' } }],
  ])('in the work of a sub-agent: the same one goes on, and its result arrives: %s', async (_what, call) => {
    writeSkill(path.join(place.project, '.agents/skills'), { name: 'helper', frontmatter: 'context: fork\n' });
    const provider = await withProvider(place, { steps: [{ calls: [call] }, bash('echo child >> log; sleep 600'), 'CHILD RESULT', 'The end.'] });
    const { session } = await cutOff((event) => event['is_sub_agent'] === true && event.type === 'tool.started' && until(() => lines('log').length === 1));
    // The sub-agent wrote last, but it is the turn of the person that goes on.
    expect(await run(place, ['run', '--continue'])).toMatchObject({ code: 0, stdout: 'The end.\n' });
    expect(lines('log')).toEqual(['child']);
    expect([provider.requests[2]?.text.includes('outcome is unknown'), provider.requests[3]?.text.includes('CHILD RESULT'), provider.requests[3]?.text.includes('outcome is unknown')]).toEqual([true, true, false]);
    const log = await exported(place, session);
    expect(ofType(log, 'agent.started')).toHaveLength(1);
    expect(ofType(log, 'agent.completed')).toMatchObject([{ status: 'done', result: 'CHILD RESULT' }]);
    const child = await exported(place, String(ofType(log, 'agent.started')[0]?.['child_id']));
    expect([ofType(child, 'turn.started').length, child.at(-1)?.['status']]).toEqual([1, 'done']);
  });

  it('with commands in the background: the model is told that they have ended', async () => {
    const provider = await withProvider(place, { steps: [bash('echo $$ > pid; exec sleep 600', { run_in_background: true }), HANG, bash('touch next', { run_in_background: true }), bash('until [ -e next ]; do sleep 0.1; done; sleep 1'), { calls: [{ name: 'BashOutput', input: { bash_id: 'bash_1' } }] }, 'Fine.'] });
    const { session } = await cutOff((event) => event.type === 'tool.completed' && until(() => provider.requests.length === 2 && lines('pid').length === 1));
    await until(() => !isAlive(Number(lines('pid')[0])));
    expect((await goOn(session)).code).toBe(0);
    expect(provider.requests[2]?.text).toMatch(/they with it: bash_1 \(echo \$\$ > pid; exec sleep 600\)/);
    expect(ofType(await exported(place, session), 'background.lost')).toHaveLength(1);
    // Told once.
    await run(place, ['run', 'next', '--session', session, ...FREE]);
    expect(ofType(await exported(place, session), 'background.lost').flatMap((event) => event['bash_ids'])).toEqual(['bash_1']);
  });

  it('in a question: it waits again, and the answer counts', async () => {
    await withProvider(place, { steps: [{ calls: [{ name: 'AskUserQuestion', input: { question: 'Which?' } }] }, 'Thanks.'] });
    const { session } = await cutOff((event) => event.type === 'question.asked');
    const again = await goOn(session);
    // The end of the turn may have been stored before the kill.
    expect([again.code === 3 || oneLineOf(again).includes('it waits for a person'), (await run(place, ['answer', session, 'a'])).stdout]).toEqual([true, 'Thanks.\n']);
  });

  it('in a compaction: the context is the old one, whole, and it is compacted then (C-K8)', async () => {
    const long = `FIRST WORDS ${'and many more '.repeat(20_000)}`;
    const full = { input: 150_000, output: 10 };
    const provider = await withProvider(place, { steps: [{ text: 'Noted.', usage: full }, HANG, 'SUMMARY OF IT', 'Went on.'] });
    const first = await run(place, ['run', '-', ...FREE, '--output', 'json'], { input: long });
    const session: string = JSON.parse(first.stdout).session_id;
    await cutOff((event) => event.type === 'turn.started' && until(() => provider.requests.length === 2), ['next', '--session', session, ...FREE]);
    expect(provider.requests[1]?.text).toContain('FIRST WORDS');
    expect(ofType(await exported(place, session), 'context.compacted')).toEqual([]);
    expect(await goOn(session)).toMatchObject({ code: 0, stdout: 'Went on.\n' });
    expect(messages(provider.requests[2])).toEqual(messages(provider.requests[1]));
    expect(provider.requests[3]?.text).toContain('SUMMARY OF IT');
    expect(provider.requests[3]?.text).not.toContain('FIRST WORDS');
    expect(ofType(await exported(place, session), 'context.compacted')).toHaveLength(1);
  });
});

describe('what a person may do with a turn that was cut off', () => {
  it('a prompt closes it, and says so in one line', async () => {
    const provider = await withProvider(place, { steps: [bash('echo once >> log; sleep 600'), 'Another one.'] });
    const { session } = await cutOff((event) => event.type === 'tool.started' && until(() => lines('log').length === 1));
    const next = await run(place, ['run', 'something else', '--session', session, ...FREE]);
    expect([next.code, next.stdout, oneLineOf(next)]).toEqual([0, 'Another one.\n', 'skillmint: The turn before was cut off by the end of the program and is closed now. A call was under way, whose outcome is unknown; the model is told.']);
    expect(provider.requests[1]?.text).toContain('outcome is unknown');
  });

  it('goes on with another model or mode, and with nothing else', async () => {
    const provider = await withProvider(place, { steps: [HANG, bash('touch a'), 'Refused.'] });
    const { session } = await cutOff((event) => event.type === 'turn.started' && until(() => provider.requests.length === 1));
    for (const flags of [['--max-turns', '3'], ['--allow', 'Bash'], ['--no-tools'], ['--sandbox', 'off']]) {
      const refused = await goOn(session, ...flags);
      expect([refused.code, oneLineOf(refused)]).toEqual([2, expect.stringContaining(`so ${flags[0]} has no place here`)]);
    }
    expect((await goOn(session, '--permission-mode', 'dontAsk')).code).toBe(0);
    expect(fs.existsSync(file('a'))).toBe(false);
  });

  it('is told when there is none', async () => {
    await withProvider(place, { steps: ['Done.'] });
    const session: string = JSON.parse((await run(place, ['run', 'x', ...FREE, '--output', 'json'])).stdout).session_id;
    const refused = await goOn(session);
    expect([refused.code, oneLineOf(refused)]).toEqual([5, `skillmint: The last turn of session ${session} was not interrupted; give a prompt to go on with it: skillmint run "…" --session ${session}`]);
    expect((await goOn('ses_none')).code).toBe(5);
  });
});

it('an owner that was taken over stops its work by itself', async () => {
  await withProvider(place, { steps: [bash('echo $$ > pid; exec sleep 600'), 'The other one went on.'] });
  const program = start(place, ['run', 'work', ...FREE, '--output', 'stream-json']);
  await until(() => lines('pid').length === 1);
  const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout);
  const session: string = sessions[0].session_id;
  program.child.kill('SIGSTOP');
  const { openSqlite } = await import('../../src/store/sqlite.ts');
  const { SESSION_MIGRATIONS } = await import('../../src/sessions/migrations.ts');
  const db = openSqlite(path.join(place.data, 'skillmint.db'), SESSION_MIGRATIONS);
  db.run('UPDATE sessions SET lease_until = 1 WHERE session_id = ?', [session]);
  db.close();
  expect(await goOn(session)).toMatchObject({ code: 0, stdout: 'The other one went on.\n' });
  const before = await exported(place, session);
  program.child.kill('SIGCONT');
  const stopped = await program.ended;
  expect([stopped.code, stopped.stderr.includes('Another process has taken over')]).toEqual([1, true]);
  expect([isAlive(Number(lines('pid')[0])), await exported(place, session)]).toEqual([false, before]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (isObject(error) && error['code'] === 'ESRCH') return false;
    throw error;
  }
}
