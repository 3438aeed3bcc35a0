import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { failed } from '../../src/protocol/tool.ts';
import { call, failure, Harness, ok, reply, tool } from './harness.ts';

const echo = tool('Echo', (input) => ok(`echo ${JSON.stringify(input)}`));

describe('a turn', () => {
  it('ends with the answer when the model calls no tool', async () => {
    const run = new Harness([[{ type: 'text.delta', text: 'Hel' }, { type: 'text.delta', text: 'lo' }, { type: 'done', reply: reply('Hello') }]]);
    await run.turn('hi');
    expect(run.last).toMatchObject({ status: 'done', text: 'Hello', usage: { input: 100, output: 10 }, cost_usd: 0.00012 });
    expect(run.shown.map((event) => ('text' in event ? event.text : ''))).toEqual(['Hel', 'lo']);
  });

  it('stores the prompt before it asks the model, and the call as started before it runs', async () => {
    const seen: string[][] = [];
    const spy = tool('Spy', () => {
      seen.push(run.events.map((event) => event.type));
      return ok('done');
    });
    const run: Harness = new Harness([() => {
      seen.push(run.events.map((event) => event.type));
      return reply('', [call('c1', 'Spy')]);
    }, reply('ok')], [spy]);
    await run.turn('go');
    expect(seen[0]).toContain('turn.started');
    expect(seen[1]).toContain('tool.started');
    expect(run.batches.find((batch) => batch.types.includes('tool.started'))?.durable).toBe(true);
    expect(run.batches.at(-1)).toEqual({ types: ['turn.completed'], durable: true });
  });

  it('runs calls side by side and gives the results in the order of the calls', async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => { release = resolve; });
    const slow = tool('Slow', async () => { await gate; order.push('slow'); return ok('slow'); });
    const fast = tool('Fast', () => { order.push('fast'); release(); return ok('fast'); });
    const run = new Harness([reply('', [call('a', 'Slow'), call('b', 'Fast')]), reply('done')], [slow, fast]);
    await run.turn('go');
    expect(order).toEqual(['fast', 'slow']);
    const results = run.requests[1]?.messages.at(-1);
    expect(results?.role === 'tool' && results.content.map((part) => [part.call_id, textOf(part.content)])).toEqual([['a', 'slow'], ['b', 'fast']]);
  });

  it('bounds how many calls run at once', async () => {
    let running = 0;
    let most = 0;
    const busy = tool('Busy', async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return ok('x');
    });
    const calls = Array.from({ length: 100 }, (_, i) => call(`c${i}`, 'Busy'));
    const run = new Harness([reply('', calls), reply('done')], [busy], { parallelTools: 7 });
    await run.turn('go');
    expect(most).toBe(7);
    expect(run.of('tool.completed')).toHaveLength(100);
    expect(run.of('tool.started')).toHaveLength(100);
  });

  it('answers an unknown tool, bad arguments and a throwing tool with error results and goes on (C-R9)', async () => {
    const strict = tool('Strict', () => ok('ran'), { prepare: async () => ({ problem: 'Strict needs the argument "path".' }) });
    const broken = tool('Broken', () => { throw new Error('boom'); });
    const invalid = { ...call('d', 'Echo'), invalid: '{"a":' };
    const run = new Harness([reply('', [call('a', 'Nope'), call('b', 'Strict'), call('c', 'Broken'), invalid]), reply('ok')], [echo, strict, broken]);
    await run.turn('go');
    expect(run.of('tool.completed').map((event) => [event.call_id, event.status]).sort()).toEqual([['a', 'error'], ['b', 'error'], ['c', 'error'], ['d', 'error']]);
    const texts = Object.fromEntries(run.of('tool.completed').map((event) => [event.call_id, textOf(event.output)]));
    expect(texts['a']).toContain('There is no tool named Nope');
    expect(texts['b']).toBe('Strict needs the argument "path".');
    expect(texts['c']).toContain('boom');
    expect(texts['d']).toContain('not a JSON object');
    expect(run.of('tool.started').map((event) => event.call_id)).toEqual(['c']);
    expect(run.last.status).toBe('done');
  });

  it('ends at the step limit and at the cost limit with a sentence that says what to do', async () => {
    const steps = new Harness(Array.from({ length: 9 }, (_, i) => reply('', [call(`c${i}`, 'Echo', { i })])), [echo], { steps: 3 });
    await steps.turn('go');
    expect(steps.last).toMatchObject({ status: 'limit', error: { code: 'max_turns' } });
    expect(steps.requests).toHaveLength(3);
    const cost = new Harness(Array.from({ length: 9 }, (_, i) => reply('', [call(`c${i}`, 'Echo', { i })])), [echo], { costUsd: 0.0002 });
    await cost.turn('go');
    expect(cost.last).toMatchObject({ status: 'limit', error: { code: 'max_cost' } });
    expect(cost.requests).toHaveLength(2);
  });

  it('runs no call of a reply that the output limit cut, and gives up after three', async () => {
    const run = new Harness(Array.from({ length: 5 }, (_, i) => reply('', [call(`c${i}`, 'Echo')], { stop: 'length' })), [echo]);
    await run.turn('go');
    expect(run.of('tool.started')).toHaveLength(0);
    expect(run.requests).toHaveLength(3);
    expect(run.last).toMatchObject({ status: 'failed', error: { code: 'reply_cut' } });
  });

  it('shows a failed model with its message', async () => {
    const run = new Harness([failure('auth', 'The key was refused.')]);
    await run.turn('go');
    expect(run.last).toMatchObject({ status: 'failed', error: { code: 'model_failed', message: 'The key was refused.' } });
  });

  it('stops on request: the running tool is told, its call is closed, the turn is cancelled', async () => {
    const control = new AbortController();
    const waits = tool('Waits', (_input, signal) => new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(failed('stopped')), { once: true });
      control.abort();
    }));
    const run = new Harness([reply('', [call('a', 'Waits')]), reply('never')], [waits]);
    await run.turn('go', control.signal);
    expect(run.of('tool.completed')).toMatchObject([{ call_id: 'a', status: 'interrupted' }]);
    expect(run.last.status).toBe('cancelled');
    expect(run.requests).toHaveLength(1);
  });
});

describe('waiting for a person', () => {
  const guarded = (ran: string[]) => tool('Guarded', (input) => { ran.push(JSON.stringify(input)); return ok('ran'); }, { permit: async () => ({ verdict: 'ask', reason: 'it writes', rules: ['Guarded'] }) });

  it('ends the turn, runs nothing that was asked about, and goes on after the answer', async () => {
    const ran: string[] = [];
    const run = new Harness([reply('', [call('a', 'Guarded', { n: 1 }), call('b', 'Echo')])], [guarded(ran), echo]);
    await run.turn('go');
    expect(run.last.status).toBe('waiting');
    expect(ran).toEqual([]);
    expect(run.of('tool.completed').map((event) => event.call_id)).toEqual(['b']);
    const [request] = run.of('permission.requested');
    run.script(reply('finished'));
    run.record([{ type: 'permission.resolved', request_id: request?.request_id ?? '', decision: 'allow', scope: 'once' }]);
    await run.goOn();
    expect(ran).toEqual(['{"n":1}']);
    expect(run.last).toMatchObject({ status: 'done', text: 'finished' });
    expect(run.of('turn.completed').map((event) => event.turn_id)).toEqual([run.last.turn_id, run.last.turn_id]);
  });

  it('tells the model what the person said when they refuse', async () => {
    const run = new Harness([reply('', [call('a', 'Guarded')])], [guarded([])]);
    await run.turn('go');
    run.script(reply('understood'));
    run.record([{ type: 'permission.resolved', request_id: 'r1', decision: 'deny', scope: 'once', reason: 'use the staging host' }]);
    await run.goOn();
    expect(run.of('tool.completed')).toMatchObject([{ status: 'denied' }]);
    expect(textOf(run.of('tool.completed')[0]?.output ?? [])).toContain('use the staging host');
  });

  it('asks a question and gives the answer as the result', async () => {
    const ask = tool('Ask', () => ok('never runs'), { question: ({ question }) => ({ question: typeof question === 'string' ? question : '', options: ['red', 'blue'] }) });
    const run = new Harness([reply('', [call('a', 'Ask', { question: 'Which?' })])], [ask]);
    await run.turn('go');
    expect(run.of('question.asked')).toMatchObject([{ question: 'Which?', options: ['red', 'blue'] }]);
    run.script(reply('blue it is'));
    run.record([{ type: 'question.answered', request_id: 'r1', answer: 'blue' }]);
    await run.goOn();
    expect(textOf(run.of('tool.completed')[0]?.output ?? [])).toBe('blue');
    expect(run.last.status).toBe('done');
  });

  it('does not run an allowed call that a rule denies by now', async () => {
    const ran: string[] = [];
    let verdict: Awaited<ReturnType<ReturnType<typeof tool>['permit']>> = { verdict: 'ask', reason: 'it writes', rules: [] };
    const changing = tool('Changing', () => { ran.push('ran'); return ok('ran'); }, { permit: async () => verdict });
    const run = new Harness([reply('', [call('a', 'Changing')])], [changing]);
    await run.turn('go');
    verdict = { verdict: 'deny', reason: 'a new rule' };
    run.script(reply('then not'));
    run.record([{ type: 'permission.resolved', request_id: 'r1', decision: 'allow', scope: 'once' }]);
    await run.goOn();
    expect(ran).toEqual([]);
    expect(run.of('tool.completed')).toMatchObject([{ status: 'denied' }]);
  });

  it('denies at once where the engine says so, and goes on', async () => {
    const never = tool('Never', () => ok('ran'), { permit: async () => ({ verdict: 'deny', reason: 'a rule forbids it' }) });
    const run = new Harness([reply('', [call('a', 'Never')]), reply('then not')], [never]);
    await run.turn('go');
    expect(run.of('tool.completed')).toMatchObject([{ status: 'denied' }]);
    expect(run.last.text).toBe('then not');
  });
});

describe('repeated calls', () => {
  it('counts the same call with the same result, and not that of a polling tool', async () => {
    const counts: number[] = [];
    const permit = async ({ repeats }: { readonly repeats: number }) => { counts.push(repeats); return { verdict: 'allow' } as const; };
    const same = tool('Same', () => ok('same'), { permit });
    const poll = tool('Poll', () => ok('same'), { permit, polling: true });
    const script = (name: string) => [...Array.from({ length: 6 }, (_, i) => reply('', [call(`${name}${i}`, name, { q: 1 })])), reply('end')];
    const run = new Harness([...script('Same'), ...script('Poll')], [same, poll]);
    await run.turn('go');
    expect(counts).toEqual([0, 1, 2, 3, 4, 5]);
    await run.turn('again');
    expect(counts.slice(6)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe('steering', () => {
  it('takes a message in at the next step, after the results', async () => {
    const run: Harness = new Harness([
      () => { run.record([{ type: 'message.added', text: 'and in red' }]); return reply('', [call('a', 'Echo')]); },
      reply('red, done'),
    ], [echo]);
    await run.turn('paint it');
    const roles = run.requests[1]?.messages.map((message) => message.role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(run.last.text).toBe('red, done');
  });

  it('does not end a turn before a message that came with the last reply was answered', async () => {
    const run: Harness = new Harness([
      () => { run.record([{ type: 'message.added', text: 'one more thing' }]); return reply('done'); },
      reply('that too'),
    ]);
    await run.turn('go');
    expect(run.requests).toHaveLength(2);
    expect(run.last.text).toBe('that too');
  });
});

describe('requests', () => {
  it('extend each other byte for byte over thirty turns', async () => {
    const script = Array.from({ length: 30 }, (_, i) => [reply('', [call(`c${i}`, 'Echo', { i })]), reply(`answer ${i}`)]).flat();
    const run = new Harness(script, [echo]);
    for (let i = 0; i < 30; i++) await run.turn(`prompt ${i}`);
    const bodies = run.requests.map((request) => JSON.stringify(request.messages).slice(0, -1));
    expect(bodies).toHaveLength(60);
    for (let i = 1; i < bodies.length; i++) expect(bodies[i]?.startsWith(bodies[i - 1] ?? '-')).toBe(true);
  });
});

describe('a checked answer', () => {
  const checked = (script: ConstructorParameters<typeof Harness>[0]) => {
    const run = new Harness(script);
    const ports = run.ports.bind(run);
    run.ports = () => ({ ...ports(), checkAnswer: (text) => (text === 'right' ? undefined : `"${text}" is not right`) });
    return run;
  };

  it('goes back to the model with what is wrong, twice at most', async () => {
    const mended = checked([reply('wrong'), reply('right')]);
    await mended.turn('go');
    expect(mended.last).toMatchObject({ status: 'done', text: 'right' });
    expect(mended.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    const hopeless = checked([reply('a'), reply('b'), reply('c')]);
    await hopeless.turn('go');
    expect(hopeless.requests).toHaveLength(3);
    expect(hopeless.last).toMatchObject({ status: 'failed', error: { code: 'output_invalid', message: '"c" is not right' } });
  });
});
