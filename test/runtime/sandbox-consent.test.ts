import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local-host.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, makePlace, open, say } from './open.ts';

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
/** A machine for which there is no sandbox. */
const bare = () => ({ ...localHost(), platform: 'other' as const });

describe('commands where there is no sandbox', () => {
  it('wait for a consent that names it, in every mode, and then run for the session', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([bash('echo one > one.txt'), bash('echo two > two.txt'), 'done']), { place, host: bare(), settings: { sandbox: 'ask', permissions: { mode: 'unrestricted' } } });
    const { result, events } = await say(runtime, { text: 'go', cwd: place.project });
    expect(eventsOf(events, 'session.started')[0]?.sandbox).toBe('not isolated');
    expect(eventsOf(events, 'permission.requested')).toMatchObject([{ unsandboxed: true, reason: expect.stringContaining('not isolated') }]);
    expect(result.status).toBe('waiting');
    expect(fs.existsSync(`${place.project}/one.txt`)).toBe(false);
    const after = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(after.result.status).toBe('done');
    expect(fs.readFileSync(`${place.project}/two.txt`, 'utf8')).toBe('two\n');
  });

  it('are not consented to by the answer to another question', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([{ calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }] }, bash('echo two > two.txt'), 'done']), { place, host: bare(), settings: { sandbox: 'ask', permissions: { mode: 'default', allow: ['Bash(echo:*)'] } } });
    const first = await say(runtime, { text: 'go', cwd: place.project });
    const allow = { kind: 'permission', decision: 'allow', scope: 'once' } as const;
    const second = await finish(await runtime.answer({ sessionId: first.result.session_id, answer: allow }));
    expect(second.result.status).toBe('waiting');
    expect(eventsOf(second.events, 'permission.requested')).toMatchObject([{ tool: 'Bash', unsandboxed: true }]);
  });

  it('do not run at all where nobody may be asked', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel(['never']), { place, host: bare(), settings: { sandbox: 'required' } });
    await expect(runtime.prompt({ text: 'go', cwd: place.project })).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    const chat = await say(runtime, { text: 'go', cwd: place.project, tools: 'none' });
    expect(chat.result.text).toBe('never');
  });

  it('are told of when an earlier turn had a sandbox', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel(['one', 'two']), { place, host: bare(), settings: { sandbox: 'off' } });
    const { result } = await say(runtime, { text: 'go', cwd: place.project, tools: 'none' });
    expect((await runtime.sessions.state(result.session_id)).sandbox).toBe('not isolated');
    const { runtime: later } = await open(scriptedModel(['three']), { place, settings: { sandbox: process.platform === 'linux' && fs.existsSync('/usr/bin/bwrap') ? 'required' : 'off' } });
    const { events } = await say(later, { text: 'go on', sessionId: result.session_id });
    const isolated = (await later.sandbox()).state === 'isolated';
    expect(eventsOf(events, 'sandbox.changed').map((event) => event.sandbox)).toEqual(isolated ? ['isolated'] : []);
  });
});
