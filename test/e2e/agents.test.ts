import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeReply, FakeStep } from '../../src/testing/fake-provider/script.ts';
import { processesWith } from '../helpers/processes-with.ts';
import { eventsOf, exported, FREE, killGroup, makePlace, MODEL, run, sessionOf, start, withProvider } from './program.ts';

const task = (prompt: string, more: object = {}) => ({ name: 'Task', input: { prompt, ...more } });

describe('sub-agents through the program', () => {
  it('run, are shown as they go, and lie in the log as sessions of their own', async () => {
    const place = makePlace();
    fs.mkdirSync(path.join(place.project, '.claude/agents'), { recursive: true });
    fs.writeFileSync(path.join(place.project, '.claude/agents/scout.md'), '---\nname: scout\ndescription: Looks around.\ntools: Glob\n---\n\nYOU LOOK\n');
    const provider = await withProvider(place, { steps: [{ calls: [task('look', { subagent_type: 'scout' })] }, { calls: [{ name: 'Glob', input: { pattern: '*' } }] }, 'CHILD RESULT', 'end'] });
    const ended = await run(place, ['run', 'go', ...FREE, '--output', 'stream-json']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(provider.requests[1]?.text).toContain('YOU LOOK');
    expect(provider.requests[3]?.text).toContain('CHILD RESULT');
    const events = eventsOf(ended.stdout);
    const started = events.find((event) => event.type === 'agent.started');
    expect(started).toMatchObject({ agent_type: 'scout', prompt: 'look' });
    expect(events.some((event) => event['is_sub_agent'] === true && event['agent_id'] === started?.['task_id'] && event.type === 'tool.completed')).toBe(true);
    const child = String(started?.['child_id']);
    expect((await exported(place, child)).map((event) => event.type)).toContain('turn.completed');
    expect(JSON.parse((await run(place, ['sessions', 'show', child, '--json'])).stdout)).toMatchObject({ status: 'done' });
    provider.push('went on');
    expect((await run(place, ['run', 'more', '--session', child, ...FREE])).stdout).toBe('went on\n');
  });

  it('that work at the same time are told apart in what is shown', async () => {
    const place = makePlace();
    const reply = ({ text }: { readonly text: string }): FakeReply => {
      const which = /INNER (\w+)/.exec(text.split('"role":"assistant"')[0] ?? '')?.[1];
      if (which === undefined) return text.includes('INNER') ? { text: 'end' } : { calls: ['one', 'two'].map((name) => task(`INNER ${name}`, { description: `Part ${name}` })) };
      return text.includes(`sleep 0.5; echo ${which}`) ? { text: 'done' } : { calls: [{ name: 'Bash', input: { command: `sleep 0.5; echo ${which}` } }] };
    };
    await withProvider(place, { steps: Array.from({ length: 6 }, () => reply) });
    const shown = (await run(place, ['run', 'go', ...FREE, '--verbose'])).stderr;
    expect(shown).toContain('● Task Part one\n');
    expect(shown).toContain('    [Part one] ● Bash sleep 0.5; echo one\n');
    expect(shown).toContain('    [Part two] ● Bash sleep 0.5; echo two\n');
  });

  it('that run at kill -9 are closed as interrupted with the session, and the next request has a result for each call', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: [{ calls: [task('sleep')] }, { calls: [{ name: 'Bash', input: { command: 'sleep 61.25' } }] }, 'went on'] });
    let text = '';
    const killed = start(place, ['run', 'go', ...FREE, '--output', 'stream-json'], {
      onLine: (line) => {
        text += `${line}\n`;
        if (line.includes('"tool.started"') && line.includes('"is_sub_agent":true')) killGroup(killed.child, 'SIGKILL');
      },
    });
    await killed.ended;
    const events = eventsOf(text);
    const session = sessionOf(events);
    const child = String(events.find((event) => event.type === 'agent.started')?.['child_id']);
    const next = await run(place, ['run', 'what now', '--session', session, ...FREE]);
    expect(next.code, next.stderr).toBe(0);
    expect(next.stdout).toBe('went on\n');
    const log = await exported(place, session);
    expect(log.find((event) => event.type === 'agent.completed')).toMatchObject({ status: 'cancelled' });
    expect(log.filter((event) => event.type === 'tool.completed').map((event) => event['status'])).toEqual(['interrupted']);
    const inner = await exported(place, child);
    expect(inner.filter((event) => event.type === 'tool.completed').map((event) => event['status'])).toEqual(['interrupted']);
    expect(inner.find((event) => event.type === 'turn.completed')).toMatchObject({ status: 'cancelled', error: { code: 'interrupted' } });
    expect(provider.requests[2]?.text).toContain('Interrupted');
  });
});

describe('sub-agents in the background', () => {
  /** Replies of the session and of its sub-agent, whose prompt holds INNER, each in order. */
  const twoRoles = (outer: readonly FakeStep[], inner: readonly FakeStep[]): readonly FakeStep[] => {
    const left = { outer: [...outer], inner: [...inner] };
    const step: FakeStep = (request) => {
      const reply = (isInner(request.body['messages']) ? left.inner : left.outer).shift() ?? 'NO REPLY';
      return typeof reply === 'function' ? reply(request) : reply;
    };
    return Array.from({ length: 20 }, () => step);
  };
  const isInner = (messages: unknown): boolean => Array.isArray(messages) && JSON.stringify(messages.filter((message: unknown) => JSON.stringify(message).includes('"user"'))[0]).includes('INNER');
  const bash = (command: string): FakeStep => ({ calls: [{ name: 'Bash', input: { command } }] });
  const background: FakeStep = { calls: [task('INNER', { run_in_background: true })] };

  it('are waited for by the program, which says so', async () => {
    const place = makePlace();
    await withProvider(place, { steps: twoRoles([background, 'turn over', 'went on'], [bash('sleep 0.7; touch made'), 'CHILD RESULT']) });
    const ended = await run(place, ['run', 'go', ...FREE]);
    expect(ended).toMatchObject({ code: 0, stdout: 'turn over\n' });
    expect(ended.stderr).toMatch(/waiting for an agent in the background: general-purpose \(task_\w+\)\. Ctrl-C stops it\./);
    expect(fs.existsSync(path.join(place.project, 'made'))).toBe(true);
    const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout);
    expect(sessions).toHaveLength(1);
    const listed = await run(place, ['sessions', 'list', '--agents']);
    expect(listed.stdout).toContain(`sub-agent of ${sessions[0].session_id}`);
    expect((await run(place, ['run', 'go on', '--continue', ...FREE, '--output', 'json'])).stdout).toContain(sessions[0].session_id);
  });

  it('are stopped by Ctrl-C with all that they run', async () => {
    const place = makePlace();
    await withProvider(place, { steps: twoRoles([background, 'turn over'], [bash('touch begun; sleep 61.75')]) });
    let before: readonly string[] = [];
    const stop = (): void => {
      before = processesWith('61.75');
      running.child.kill('SIGINT');
    };
    const running = start(place, ['run', 'go', ...FREE, '--output', 'stream-json'], { onError: (text) => { if (text.includes('waiting for an agent') && before.length === 0) setTimeout(stop, 500); } });
    const ended = await running.ended;
    expect(before).not.toEqual([]);
    expect(ended.code).toBe(130);
    const child = String(eventsOf(ended.stdout).find((event) => event.type === 'agent.started')?.['child_id']);
    expect((await exported(place, child)).at(-1)).toMatchObject({ type: 'turn.completed', status: 'cancelled' });
    expect(processesWith('61.75')).toEqual([]);
  });

  it('that wait for consent leave the exit code of the turn, and are answered through the session', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: twoRoles([background, 'turn over', 'next'], [bash('touch made'), 'CHILD RESULT']) });
    const ended = await run(place, ['run', 'go', ...MODEL, '--sandbox', 'off']);
    expect([ended.code, ended.stdout], ended.stderr).toEqual([0, 'turn over\n']);
    const [, session = '', request = ''] = /Answer with: skillmint answer (\S+) --request (\S+) --allow/.exec(ended.stderr) ?? [];
    expect(ended.stderr).toMatch(/The background agent general-purpose \(task_\w+\) waits\./);
    const shown = (await run(place, ['sessions', 'show', session])).stdout;
    expect(shown).toMatch(/agent general-purpose \(task_\w+, session ses_\w+\)/);
    expect(shown).toMatch(new RegExp(`the agent general-purpose \\(task_\\w+\\) waits \\(${request}\\):[^]*touch made`));
    expect(JSON.parse((await run(place, ['sessions', 'show', session, '--json'])).stdout)).toMatchObject({ open: [{ request_id: request, tool: 'Bash', agent: { agent_type: 'general-purpose' } }] });
    const answered = await run(place, ['answer', session, '--request', request, '--allow']);
    expect([answered.code, answered.stdout], answered.stderr).toEqual([0, 'CHILD RESULT\n']);
    expect(fs.existsSync(path.join(place.project, 'made'))).toBe(true);
    await run(place, ['run', 'and now', '--session', session, ...FREE]);
    expect(provider.requests.at(-1)?.text).toContain('has ended: done');
  });

  it('that run at kill -9 are told as interrupted in the next turn', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: twoRoles([background, 'turn over', 'next'], [bash('touch begun; sleep 62.25')]) });
    const killed = start(place, ['run', 'go', ...FREE, '--output', 'stream-json'], { onError: (text) => { if (text.includes('waiting for an agent')) setTimeout(() => killGroup(killed.child, 'SIGKILL'), 400); } });
    const session = sessionOf(eventsOf((await killed.ended).stdout));
    const next = await run(place, ['run', 'and now', '--session', session, ...FREE]);
    expect(next.stdout, next.stderr).toBe('next\n');
    expect(provider.requests.at(-1)?.text).toContain('has ended: interrupted');
    expect((await exported(place, session)).find((event) => event.type === 'agent.completed')).toMatchObject({ status: 'cancelled' });
  });
});
