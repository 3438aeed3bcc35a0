import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRuntime } from '../../src/index.ts';
import type { PromptRequest, Runtime } from '../../src/runtime/runtime.ts';
import type { SessionQuery } from '../../src/sessions/store.ts';
import { scriptedModel, type ScriptedStep } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, makePlace, say } from './open.ts';

const PLAIN = { name: 'own', description: 'A tool.', inputSchema: { type: 'object' }, readOnly: true, call: async (): Promise<unknown> => 'ok' } as const;
const SKILL = { name: 'greeting', description: 'Greets.', instructions: 'Say hello.' } as const;

/** A runtime of the package's entry, as a program without types may make it. */
async function opened(given: object, steps: readonly ScriptedStep[] = ['done']): Promise<{ readonly runtime: Runtime; readonly cwd: string }> {
  const { home, data, project } = makePlace();
  const options: object = { home, dataFolder: data, ephemeral: true, model: scriptedModel(steps), settings: { sandbox: 'off', permissions: { mode: 'unrestricted' } }, ...given };
  const runtime = await createRuntime(options);
  onTestFinished(() => runtime.close());
  return { runtime, cwd: project };
}

const CALLING: readonly ScriptedStep[] = [{ calls: [{ tool: 'own', input: {} }] }, 'done'];
const ASKING = { settings: { sandbox: 'off', permissions: { mode: 'default' } }, tools: [{ ...PLAIN, readOnly: false }] };
const refusal = (says: RegExp): object => ({ code: 'invalid_argument', message: expect.stringMatching(says) });

describe('options that cannot be are refused in one sentence', () => {
  it.each([
    [{ tool: [] }, /no option "tool"\. Did you mean "tools"\?/],
    [{ tools: { own: PLAIN } }, /tools of createRuntime has to be a list of tools/],
    [{ tools: [{ ...PLAIN, name: 5 }] }, /The tool 5 needs a "name"/],
    [{ tools: [{ ...PLAIN, description: ' ' }] }, /"own" needs a "description"/],
    [{ tools: [{ ...PLAIN, inputSchema: undefined }] }, /"own" needs an "inputSchema"/],
    [{ tools: [{ ...PLAIN, inputSchema: { type: 'string' } }] }, /JSON Schema of an object/],
    [{ tools: [{ ...PLAIN, call: undefined }] }, /"own" needs a function "call"/],
    [{ skillSources: ['here'] }, /skillSources of createRuntime has to be a list of functions/],
    [{ skillFields: { team: true } }, /skillFields of createRuntime has to be an object of functions/],
    [{ answers: 'allow' }, /answers of createRuntime has to be a function/],
    [{ model: 'openai/gpt-5' }, /model of createRuntime has to be an object with a function "stream"/],
    [{ database: 'postgres://x' }, /database of createRuntime has to be an object with a "url"/],
    [{ settings: { sandbx: 'off' } }, /settings of createRuntime cannot be used: .*"sandbx".*did you mean "sandbox"/],
    [{ settings: { sandbox: 'maybe' } }, /settings of createRuntime cannot be used: .*sandbox/],
  ])('%#', async (given, says) => {
    await expect(opened(given)).rejects.toMatchObject(refusal(says));
  });

  it.each([
    [{ text: undefined }, /prompt needs "text"/],
    [{ text: 5 }, /text of prompt has to be a text/],
    [{ mode: 'yolo' }, /mode of prompt has to be "default" or/],
    [{ sandbox: 'no' }, /sandbox of prompt/],
    [{ maxSteps: -1 }, /maxSteps of prompt has to be a whole number from 1/],
    [{ effort: 'huge' }, /effort of prompt/],
    [{ skil: 'x' }, /no option "skil"\. Did you mean "skill"/],
  ])('in a prompt: %#', async (request, says) => {
    const { runtime, cwd } = await opened({});
    const whole: object = { text: 'go', cwd, ...request };
    await expect(runtime.prompt(whole as PromptRequest)).rejects.toMatchObject(refusal(says)); // what is wrong with it is the case
  });

  it.each([
    [[{ description: 'x', instructions: 'y' }], /has no name/],
    [[{ ...SKILL, instructions: undefined }], /\(greeting\) has no instructions/],
    [[{ ...SKILL, frontmatter: { name: 'other' } }], /field name, which stands beside it/],
    [[{ ...SKILL, body: 'x' }], /\(greeting\) has no option "body"/],
  ])('in a skill: %#', async (skills, says) => {
    const { runtime, cwd } = await opened({ skills });
    await expect(runtime.prompt({ text: 'go', cwd })).rejects.toMatchObject(refusal(says));
  });

  it.each([
    [{ limit: '5; DROP TABLE sessions' }, /limit of sessions\.list has to be a whole number from 1/],
    [{ offset: -1 }, /offset of sessions\.list has to be a whole number, at least 0/],
    [{ status: 'ended' }, /status of sessions\.list has to be "idle" or/],
    [{ max: 5 }, /sessions\.list has no option "max"/],
  ])('in a list of sessions: %#', async (query, says) => {
    const { runtime } = await opened({});
    await expect(runtime.sessions.list(query as SessionQuery)).rejects.toMatchObject(refusal(says)); // what is wrong with it is the case
  });

  it('a list whose length is not said has fifty sessions at most', async () => {
    const { runtime, cwd } = await opened({});
    for (let made = 0; made < 51; made++) await runtime.sessions.create({ cwd });
    expect([await runtime.sessions.list(), await runtime.sessions.list({}), await runtime.sessions.list({ limit: 60 })].map((list) => list.length)).toEqual([50, 50, 51]);
  });

  it('a runtime that is closed takes nothing, and may be closed again', async () => {
    const { runtime, cwd } = await opened({});
    await Promise.all([runtime.close(), runtime.close()]);
    await expect(runtime.prompt({ text: 'go', cwd })).rejects.toMatchObject(refusal(/runtime is closed/));
  });
});

describe('a part of the program that fails', () => {
  it.each([
    [async (): Promise<unknown> => () => 1, 'own failed: it gave a function, which is no JSON'],
    [async (): Promise<unknown> => ({ n: 1n }), 'own failed: Do not know how to serialize a BigInt'],
    [(): Promise<unknown> => { throw new Error('at once'); }, 'own failed: at once'],
  ])('as a tool: the model is told', async (call, text) => {
    const { runtime, cwd } = await opened({ tools: [{ ...PLAIN, call }] }, CALLING);
    const { result, events } = await say(runtime, { text: 'go', cwd });
    expect([result.status, eventsOf(events, 'tool.completed').map(({ status, output }) => [status, output])]).toEqual(['done', [['error', [{ type: 'text', text }]]]]);
  });

  it('as a tool that does not hear that the turn is stopped: nobody waits for it', async () => {
    const { runtime, cwd } = await opened({ tools: [{ ...PLAIN, call: () => new Promise(() => undefined) }] }, CALLING);
    const turn = await runtime.prompt({ text: 'go', cwd });
    for await (const event of turn.events) if (event.type === 'tool.started') turn.cancel();
    expect((await turn.result).status).toBe('cancelled');
  });

  it('as a handler: what is no answer is never consent, and is not asked for again and again', async () => {
    for (const given of ['allow', { kind: 'permission', decision: 'yes', scope: 'once' }, { kind: 'permission', decision: 'allow' }, null]) {
      let asked = 0;
      const { runtime, cwd } = await opened({ ...ASKING, answers: async () => (asked += 1, given) }, CALLING);
      await expect(runtime.prompt({ text: 'go', cwd }).then(({ result }) => result)).rejects.toMatchObject(refusal(/An answer is \{ kind/));
      expect([asked, await runtime.sessions.list({ limit: 5, offset: 0 })]).toMatchObject([1, [{ status: 'waiting' }]]);
    }
  });

  it('as a handler that never answers: the turn can be stopped, and stays a question', async () => {
    const { runtime, cwd } = await opened({ ...ASKING, answers: () => new Promise(() => undefined) }, CALLING);
    const turn = await runtime.prompt({ text: 'go', cwd });
    for await (const event of turn.events) {
      if (event.type !== 'permission.requested') continue;
      setTimeout(() => turn.cancel(), 20);
      break;
    }
    expect(['waiting', 'cancelled']).toContain((await turn.result).status);
  });

  it('as an observer: no turn notices, and the process is warned once', async () => {
    const warned: Error[] = [];
    const hear = (warning: Error): void => void (warning.name === 'SkillmintWarning' && warned.push(warning));
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    for (const observe of [() => { throw new Error('full'); }, async () => { throw new Error('full'); }]) {
      const { runtime, cwd } = await opened({ observe });
      expect((await say(runtime, { text: 'go', cwd })).result.status).toBe('done');
    }
    await expect.poll(() => warned.map(({ message }) => message)).toEqual([expect.stringMatching(/observe of createRuntime.*full/), expect.stringMatching(/observe of createRuntime.*full/)]);
  });

  it('as a source of skills: the prompt says which part it was', async () => {
    for (const [source, says] of [[async () => { throw new Error('the database is down'); }, /source of skills.*the database is down/], [async () => undefined, /source of skills.*no list/]] as const) {
      const { runtime, cwd } = await opened({ skillSources: [source] });
      await expect(runtime.prompt({ text: 'go', cwd })).rejects.toMatchObject({ code: 'call_failed', message: expect.stringMatching(says) });
    }
  });

  it('as a source of skills that never gives any: the prompt ends, and says so', async () => {
    const { runtime, cwd } = await opened({ skillSources: [() => new Promise(() => undefined)] });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let refused: unknown;
    runtime.prompt({ text: 'go', cwd }).catch((error: unknown) => { refused = error; });
    while (!refused) await vi.advanceTimersByTimeAsync(1_000);
    expect(refused).toMatchObject({ code: 'call_failed', message: expect.stringContaining('not given all of its skills within 30 s') });
  });

  it('as a check of a field: it is a finding of the skill', async () => {
    const { runtime, cwd } = await opened({ skills: [SKILL], skillFields: { team: () => { throw new Error('no list of teams'); }, kind: async () => 'x' } });
    const entry = (await runtime.skills(cwd)).entries.find(({ name }) => name === 'greeting');
    expect(entry?.diagnostics.map(({ message }) => message)).toEqual(['the field team could not be checked: no list of teams', 'the field kind could not be checked: its check gave a promise in place of a text']);
  });
});

it('answers of the program itself are checked, too', async () => {
  const { runtime, cwd } = await opened(ASKING, CALLING);
  const { result } = await say(runtime, { text: 'go', cwd });
  const wrong: object = { kind: 'permission', decision: 'yes', scope: 'once' };
  await expect(runtime.answer({ sessionId: result.session_id, answer: wrong as never })).rejects.toMatchObject(refusal(/An answer is/)); // what is wrong with it is the case
  expect((await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }))).result.status).toBe('done');
});
