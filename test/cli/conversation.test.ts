import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openConsole, type Console, type TerminalStreams } from '../../src/cli/interactive/plain/console.ts';
import { choose, newConversation, requestFor, sessionLine, type Conversation } from '../../src/cli/interactive/conversation.ts';
import { plainFace } from '../../src/cli/interactive/plain/plain-face.ts';
import { sandboxWords } from '../../src/cli/interactive/sandbox-words.ts';
import { indexingNotice } from '../../src/cli/listings/indexing-line.ts';
import { indexingStatus } from '../../src/cli/run/indexing-status.ts';
import { createRuntime } from '../../src/runtime/create-runtime.ts';
import type { PromptRequest } from '../../src/runtime/runtime.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';

/** A terminal that the test types into. */
function terminal(): { readonly streams: TerminalStreams; readonly stdin: PassThrough; readonly shown: () => string } {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let shown = '';
  stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
  });
  return { streams: { stdin, stdout }, stdin, shown: () => shown };
}

async function conversationWith(flags: Omit<PromptRequest, 'text'>): Promise<Conversation & { readonly say: (text: string) => Promise<string> }> {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-conversation-')));
  const runtime = await createRuntime({ home: root, dataFolder: path.join(root, 'data'), env: { HOME: root }, model: scriptedModel(Array.from({ length: 10 }, (_, i) => `answer ${i}`)) });
  onTestFinished(async () => {
    await runtime.close();
    fs.rmSync(root, { recursive: true, force: true });
  });
  const console: Console = openConsole(terminal().streams);
  const conversation = newConversation({ runtime, face: plainFace({ console, indexing: indexingStatus(indexingNotice, { ephemeral: false }) }), ephemeral: false }, { cwd: root, tools: 'none', ...flags });
  return Object.assign(conversation, {
    say: async (text: string) => {
      const turn = await runtime.prompt(requestFor(conversation, text));
      await turn.result;
      conversation.sessionId = turn.sessionId;
      return turn.sessionId;
    },
  });
}

const modeOf = async ({ runtime }: Conversation, sessionId: string): Promise<string> => (await runtime.sessions.state(sessionId)).permission_mode;

describe('mode and model in a conversation', () => {
  it('come from the flags for a new session, and from a choice ever after', async () => {
    const talk = await conversationWith({ mode: 'unrestricted', model: 'scripted/one' });
    const session = await talk.say('first');
    expect(await modeOf(talk, session)).toBe('unrestricted');
    await choose(talk, { mode: 'plan' });
    await choose(talk, { model: 'scripted/two' });
    for (const text of ['second', 'third']) {
      expect(await talk.say(text)).toBe(session);
      expect(await talk.runtime.sessions.state(session)).toMatchObject({ permission_mode: 'plan', model: 'scripted/two' });
    }
  });

  it('may be chosen before the first message', async () => {
    const talk = await conversationWith({ mode: 'unrestricted' });
    await choose(talk, { mode: 'plan' });
    const session = await talk.say('first');
    expect([await modeOf(talk, session), await modeOf(talk, await talk.say('second'))]).toEqual(['plan', 'plan']);
  });

  it('are its own in a session that is resumed, and the latest choice in one that is begun after it', async () => {
    const talk = await conversationWith({ mode: 'acceptEdits' });
    const first = await talk.say('first');
    talk.sessionId = undefined;
    await choose(talk, { mode: 'unrestricted' });
    const second = await talk.say('second');
    talk.sessionId = first;
    expect(await talk.say('in the first again')).toBe(first);
    expect([await modeOf(talk, first), await modeOf(talk, second)]).toEqual(['acceptEdits', 'unrestricted']);
    expect(await sessionLine(talk, first)).toMatch(/^going on with ses_\w+: first · .* · acceptEdits$/);
    talk.sessionId = undefined;
    expect(await modeOf(talk, await talk.say('third'))).toBe('unrestricted');
  });

  it('go with no prompt of a session that exists, and neither do its folder and skill', async () => {
    const flags: Omit<PromptRequest, 'text'> = { cwd: '/p', skill: 'a', addDirs: ['/q'], mode: 'plan', model: 'm/n', allow: ['Read'], sandbox: 'off' };
    const parts = await conversationWith({});
    expect(requestFor(newConversation(parts, flags), 'x')).toEqual({ ...flags, text: 'x' });
    expect(requestFor(newConversation(parts, { ...flags, sessionId: 's' }), 'x')).toEqual({ sessionId: 's', allow: ['Read'], sandbox: 'off', text: 'x' });
  });
});

describe('what is typed', () => {
  const CTRL_C = '\u0003';
  const CTRL_D = '\u0004';

  it('is a line, an interrupt that clears it, or the end', async () => {
    const { streams, stdin } = terminal();
    const console = openConsole(streams);
    const ask = (keys: string): Promise<unknown> => {
      const typed = console.ask('> ');
      stdin.write(keys);
      return typed;
    };
    expect(await ask('hello\r')).toEqual({ kind: 'line', text: 'hello' });
    expect(await ask(CTRL_C)).toEqual({ kind: 'interrupted', wasEmpty: true });
    expect(await ask(`half\u001b[D\u001b[D${CTRL_C}`)).toEqual({ kind: 'interrupted', wasEmpty: false });
    expect(await ask('new\r')).toEqual({ kind: 'line', text: 'new' });
    expect(await ask(CTRL_D)).toEqual({ kind: 'ended' });
    expect(await console.ask('> ')).toEqual({ kind: 'ended' });
  });

  it('while a turn runs goes to it, is kept when it is not wanted, and ends it', async () => {
    const { streams, stdin } = terminal();
    const console = openConsole(streams);
    const heard: string[] = [];
    await console.during(() => new Promise<void>((resolve) => {
      stdin.write(`one\r/two\r${CTRL_C}`);
      setImmediate(resolve);
    }), {
      interrupt: () => heard.push('interrupt'),
      end: () => heard.push('end'),
      take: async (line) => {
        heard.push(line);
        return !line.startsWith('/');
      },
    });
    expect(heard).toEqual(['one', '/two', 'interrupt']);
    const fresh = console.ask('consent? ', { fresh: true });
    stdin.write('y\r');
    expect(await fresh).toEqual({ kind: 'line', text: 'y' });
    expect(await console.ask('> ')).toEqual({ kind: 'line', text: '/two' });
    const ended = new Promise<void>((resolve) => {
      const work = console.during(() => new Promise<void>((done) => setImmediate(done)), { interrupt: () => undefined, end: resolve, take: () => Promise.resolve(true) });
      stdin.write(CTRL_D);
      work.catch(() => undefined);
    });
    await ended;
    expect(await console.ask('> ')).toEqual({ kind: 'ended' });
  });

  it('ends with a terminal that cannot be read any more', async () => {
    const { streams, stdin } = terminal();
    const typed = openConsole(streams).ask('> ');
    stdin.emit('error', Object.assign(new Error('read EIO'), { code: 'EIO' }));
    expect(await typed).toEqual({ kind: 'ended' });
  });
});

it('the greeting tells how commands will run', () => {
  const isolated = { state: 'isolated' } as const;
  const none = { state: 'not isolated' } as const;
  const setting = undefined;
  expect(sandboxWords({ report: isolated, setting, tools: 'all' })).toBe('isolated');
  expect(sandboxWords({ report: isolated, setting: 'off', tools: 'all' })).toBe('off (not isolated)');
  expect(sandboxWords({ report: none, setting, tools: 'all' })).toBe('not isolated, asks first');
  expect(sandboxWords({ report: none, setting: 'required', tools: 'all' })).toBe('required, but not available');
  expect(sandboxWords({ report: isolated, setting: 'required', tools: 'none' })).toBe('not needed (no tools)');
});
