import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { McpServerForm } from '../../src/protocol/mcp.ts';
import type { Clock } from '../../src/host/host.ts';
import { localHost } from '../../src/host/local-host.ts';
import type { SupervisedServer } from '../../src/mcp/supervised-server.ts';
import { superviseServer } from '../../src/mcp/supervisor.ts';
import { readDefinition } from '../../src/mcp/definition.ts';
import { scriptedModel, type ScriptedStep } from '../../src/testing/scripted-model.ts';
import { everythingOverHttp, isAlive, libraryServer, overHttp, ownServer, pidsIn, realServer, until } from '../mcp/servers.ts';
import { eventsOf, makePlace, open, say, type Place } from './open.ts';

const find = (query: string): ScriptedStep => ({ calls: [{ tool: 'FindTools', input: { query } }] });
const call = (tool: string, input = {}): ScriptedStep => ({ calls: [{ tool: 'CallTool', input: { tool, input } }] });

async function turn(place: Place, mcpServers: Readonly<Record<string, McpServerForm>>, steps: readonly ScriptedStep[]): Promise<{ readonly events: readonly SessionEvent[]; readonly results: readonly string[]; readonly statuses: readonly string[]; readonly ms: number; readonly status: string }> {
  const { runtime } = await open(scriptedModel([...steps, 'done']), { place, settings: { mcpServers } });
  const began = performance.now();
  const { events, result } = await say(runtime, { cwd: place.project, text: 'go' });
  const ms = performance.now() - began;
  await runtime.close();
  const completed = eventsOf(events, 'tool.completed');
  return { events, results: completed.map(({ output }) => textOf(output)), statuses: completed.map(({ status }) => status), ms, status: result.status };
}

function supervised(form: McpServerForm, place: Place, clock?: Clock): SupervisedServer {
  const read = readDefinition(form, { folder: place.home, variable: () => undefined });
  if ('problem' in read) throw new Error(read.problem);
  const host = localHost({ env: process.env });
  const server = superviseServer({ host, clock: clock ?? host.clock, allow: [], shortName: 'own', definition: read.definition });
  onTestFinished(() => server.close());
  return server;
}

const ofMachine = localHost({ env: process.env }).clock;

/** Shortens what a server is waited for and notes how long it would have been. */
function quickClock(shortened: (ms: number) => number): Clock & { readonly slept: readonly number[] } {
  const slept: number[] = [];
  return { ...ofMachine, slept, sleep: (ms, signal) => {
    slept.push(ms);
    return ofMachine.sleep(shortened(ms), signal);
  } };
}

/** Pauses between restarts are moments. */
const pauses = (ms: number): number => (ms < 5_000 ? 5 : ms);

/** Minutes between two looks, and pauses, are moments; what a start or an answer may take stays as it is. */
const minutes = (ms: number): number => (ms === 60_000 ? 300 : ms > 100_000 || ms === 10_000 || ms === 5_000 ? ms : 5);

const callOnce = (server: SupervisedServer): Promise<unknown> => {
  const [tool] = server.tools();
  if (!tool) throw new Error('there is no tool');
  return server.call({ tool, input: {}, signal: new AbortController().signal, onProgress: () => undefined });
};

/** Takes 4 s to start for the first time, as programs that are fetched first. */
function slowServer(folder: string): McpServerForm {
  const form = libraryServer(folder, "server.registerTool('late', { inputSchema: none }, async () => text('late'));");
  const [file = ''] = form.args ?? [];
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('let handler;', `let handler; if (!fs.existsSync('${file}.fetched')) { await new Promise((resolve) => setTimeout(resolve, 4_000)); fs.writeFileSync('${file}.fetched', ''); }`));
  return form;
}

describe('a server that does not come up (C-C1)', () => {
  it('is left out of a turn that goes on with the others within 10 s, and its state is told', async () => {
    const place = makePlace();
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const ending = { command: process.execPath, args: ['-e', 'console.error("no such database"); process.exit(3)'] };
    const chatty = ownServer(place.home, { name: 'chatty', head: "console.log('Welcome to my server!'); console.log('{\"level\":\"info\"}');" });
    const missing = { command: 'no-such-program-anywhere' };
    const printing = (code: string): McpServerForm => ({ command: process.execPath, args: ['-e', `${code}; setInterval(() => {}, 1000)`], env: { TOKEN: 'secret-token' } });
    const talking = printing("console.log('Listening on port 3000 with secret-token')");
    const complaining = printing("console.error('No database.\\nWaiting for one …')");
    const slow = slowServer(place.home);
    const { results, statuses, ms, status } = await turn(place, { silent, ending, chatty, missing, talking, complaining, slow }, [find('does the work'), call('mcp__chatty__work'), call('mcp__ending__work'), call('mcp__slow__late')]);
    expect(ms).toBeLessThan(20_000);
    expect(status).toBe('done');
    expect(results[0]).toContain('mcp__chatty__work');
    expect(results[0]).toContain('The MCP server silent is still starting. Its tools can be found as soon as it is ready');
    expect(results[0]).toContain('talking is still starting; so far it printed: Listening on port 3000 with ***.');
    expect(results[0]).toContain('complaining is still starting; so far it printed: Waiting for one …');
    expect(results[0]).toMatch(/ending is not ready: it ended with exit status 3: no such database/);
    expect(results[0]).toMatch(/missing is not ready: it could not be started: the program no-such-program-anywhere was not found/);
    expect(results[1]).toBe('done');
    expect(results[2]).toContain('ending is not ready');
    // Its revision is the newest alone; it has not been taken for one of an older revision.
    expect(results[3]).toBe('late');
    expect(statuses).toEqual(['ok', 'ok', 'error', 'ok']);
  }, 30_000);

  it('goes on being started while nobody waits, and is there for a later request of the turn; others do not wait for it again', async () => {
    const place = makePlace();
    // Deaf at first, as what fetches a program is.
    const slow = ownServer(place.home, { name: 'slow', head: "process.stderr.write('fetching\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 14_000);" });
    const quick = ownServer(place.home, { name: 'quick' });
    const { results, statuses, ms } = await turn(place, { slow, quick }, [find('does the work'), find('does the work'), call('mcp__slow__work'), find('does the work')]);
    expect(results[0]).toContain('The MCP server slow is still starting; so far it printed: fetching. Its tools can be found as soon as it is ready');
    expect(results[0]).toContain('mcp__quick__work');
    expect(results[1]).toContain('slow is still starting');
    expect([results[2], results[3]]).toEqual(['done', expect.stringContaining('mcp__slow__work')]);
    expect(results[3]).not.toContain('still starting');
    expect(statuses).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(ms).toBeLessThan(19_500);
  }, 40_000);

  it('is ended with the program while it is being started, with all that it has started', async () => {
    const place = makePlace();
    const pids = path.join(place.home, 'pids');
    const server = supervised(ownServer(place.home, { head: `import { spawn } from 'node:child_process'; process.on('SIGTERM', () => {}); const child = spawn('sleep', ['300'], { stdio: 'ignore' }); fs.appendFileSync('${pids}', process.pid + '\\n' + child.pid + '\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300_000);` }), place);
    server.begin();
    await until(() => pidsIn(pids).length === 2);
    await server.settled(300);
    expect(server.state()).toMatchObject({ state: 'starting', restarts: 0 });
    const began = performance.now();
    await server.close();
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(pidsIn(pids).filter(isAlive)).toEqual([]);
    expect(server.state()).toEqual({ state: 'idle' });
  }, 20_000);

  it('is ended and has failed after two minutes, and is tried again some minutes later', async () => {
    const place = makePlace();
    const pids = path.join(place.home, 'pids');
    const skipped = { ms: 0 };
    const clock = { ...quickClock((ms) => (ms === 120_000 ? 1_500 : ms)), now: () => Date.now() + skipped.ms };
    const server = supervised({ command: process.execPath, args: ['-e', `require('fs').appendFileSync('${pids}', process.pid + '\\n'); console.error('still fetching'); setInterval(() => {}, 1000)`] }, place, clock);
    server.begin();
    await server.settled(500);
    expect(server.state()).toMatchObject({ state: 'starting', said: 'still fetching' });
    await server.settled(10_000);
    expect(server.state()).toEqual({ state: 'failed', restarts: 0, reason: 'it did not answer in time; it printed: still fetching' });
    expect(pidsIn(pids).filter(isAlive)).toEqual([]);
    skipped.ms = 5_000;
    server.begin();
    expect(server.state().state).toBe('failed');
    skipped.ms = 5 * 60_000;
    server.begin();
    expect(server.state().state).toBe('starting');
  }, 20_000);

  it('is given up when it prints something else without end', async () => {
    const place = makePlace();
    const server = supervised({ command: process.execPath, args: ['-e', "const line = 'x'.repeat(1_000_000) + '\\n'; const go = () => { while (process.stdout.write(line)); process.stdout.once('drain', go); }; go();"] }, place);
    server.begin();
    await server.settled(10_000);
    expect(server.state()).toMatchObject({ state: 'failed', reason: 'it prints something else than messages of the protocol' });
  }, 20_000);

  it('is told with how it ended when that was at the question for its tools', async () => {
    const place = makePlace();
    const server = supervised(ownServer(place.home, {}, "if (method === 'tools/list') { console.error('no tea'); process.exit(4); }"), place);
    server.begin();
    await server.settled(10_000);
    expect(server.state()).toMatchObject({ state: 'failed', reason: 'it ended with exit status 4: no tea' });
  });

  it('is started again without the question that it does not survive', async () => {
    const place = makePlace();
    const server = supervised(ownServer(place.home, { more: "if (method === 'server/discover') process.exit(1);" }), place);
    server.begin();
    await server.settled(10_000);
    expect(server.state()).toMatchObject({ state: 'ready', protocol: '2025-06-18', tools: 1 });
  });
});

describe('a call that gets no answer (C-C2)', () => {
  it('ends at once when the server crashes, which is then started again', async () => {
    const place = makePlace();
    const flag = path.join(place.home, 'crashed');
    const server = ownServer(place.home, { call: `if (!fs.existsSync('${flag}')) { fs.writeFileSync('${flag}', String(Date.now())); process.exit(9); } return { content: [{ type: 'text', text: 'works again ' + (Date.now() - Number(fs.readFileSync('${flag}', 'utf8'))) }] };` });
    const { results, statuses } = await turn(place, { own: server }, [call('mcp__own__work'), call('mcp__own__work')]);
    expect(results[0]).toMatch(/gave no result: it ended with exit status 9/);
    expect(statuses).toEqual(['error', 'ok']);
    expect(Number(/works again (\d+)/.exec(results[1] ?? '')?.[1])).toBeLessThan(3_000);
  });

  it('ends at the limit of the definition when it hangs, and the server is looked at', async () => {
    const place = makePlace();
    const server = ownServer(place.home, { call: 'await new Promise(() => {});' });
    const { results, ms } = await turn(place, { own: { ...server, timeout: 700 } }, [call('mcp__own__work')]);
    expect(results[0]).toContain('it did not answer within 0.7 s');
    expect(ms).toBeLessThan(5_000);
  });

  it('is stopped with the turn, and the server is told', async () => {
    const place = makePlace();
    const told = path.join(place.home, 'told');
    const server = ownServer(place.home, { call: `fs.writeFileSync('${told}.began', ''); await new Promise(() => {});`, more: `if (method === 'notifications/cancelled') fs.writeFileSync('${told}', JSON.stringify(params));` });
    const { runtime } = await open(scriptedModel([call('mcp__own__work'), 'never']), { place, settings: { mcpServers: { own: server } } });
    const running = await runtime.prompt({ cwd: place.project, text: 'go' });
    await until(() => fs.existsSync(`${told}.began`));
    running.cancel();
    expect((await running.result).status).toBe('cancelled');
    await until(() => fs.existsSync(told));
  });

  it('is not waited for when the turn is stopped while its server is being started', async () => {
    const place = makePlace();
    const silent = { command: process.execPath, args: ['-e', "process.stdin.resume().on('end', () => process.exit())"] };
    for (const step of [find('anything'), call('mcp__silent__work')]) {
      const { runtime } = await open(scriptedModel([step, 'never']), { place, settings: { mcpServers: { silent } } });
      const running = await runtime.prompt({ cwd: place.project, text: 'go' });
      await new Promise((resolve) => setTimeout(resolve, 400));
      const began = performance.now();
      running.cancel();
      expect((await running.result).status).toBe('cancelled');
      expect(performance.now() - began).toBeLessThan(2_000);
      // Nor by the end of the program.
      await runtime.close();
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  }, 20_000);

  it('is not made again and again: five restarts in a row, with growing pauses', async () => {
    const place = makePlace();
    const clock = quickClock(pauses);
    const pids = path.join(place.home, 'pids');
    const server = supervised(ownServer(place.home, { head: `fs.appendFileSync('${pids}', process.pid + '\\n'); setTimeout(() => process.exit(1), 400);` }), place, clock);
    server.begin();
    await until(() => server.state().state === 'failed', 25_000);
    expect(clock.slept.filter((ms) => ms >= 250 && ms < 5_000)).toEqual([250, 500, 1_000, 2_000, 4_000]);
    expect(server.state()).toMatchObject({ state: 'failed', restarts: 5, reason: expect.stringContaining('restarted 5 times in a row') });
    expect(pidsIn(pids)).toHaveLength(6);
    expect(pidsIn(pids).filter(isAlive)).toEqual([]);
  }, 30_000);
});

describe('what a server offers and answers (C-C4)', () => {
  it('is learned anew when the server says that it has changed, once for a thousand such words', async () => {
    const place = makePlace();
    const asked = path.join(place.home, 'asked');
    const server = supervised(ownServer(place.home, {
      head: `let more = []; const changed = () => { more = [{ name: 'late', description: 'Came late.', inputSchema: { type: 'object' } }]; for (let i = 0; i < 1000; i++) send({ method: 'notifications/tools/list_changed' }); };`,
      capabilities: { tools: { listChanged: true } },
      tools: [], call: '',
      more: '',
    }, `if (method === 'tools/list') { fs.appendFileSync('${asked}', 'x'); send({ id, result: { tools: more } }); if (more.length === 0) setTimeout(changed, 100); return; }`), place);
    server.begin();
    await server.settled(10_000);
    expect(server.state()).toMatchObject({ state: 'ready', tools: 0 });
    await until(() => server.tools().length === 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(fs.readFileSync(asked, 'utf8').length).toBeLessThanOrEqual(3);
  });

  it('of 1,000 tools a few are found at a time, and each can be called', async () => {
    const place = makePlace();
    const tools = Array.from({ length: 1_100 }, (_, i) => ({ name: `tool_${i}`, description: i === 777 ? 'Paints a zebra.' : `Does thing number ${i}.`, inputSchema: { type: 'object', properties: {} } }));
    const { results } = await turn(place, { own: ownServer(place.home, { tools, call: "return { content: [{ type: 'text', text: 'called ' + name }] };" }) }, [find('paints a zebra'), call('mcp__own__tool_777')]);
    expect(results[0]).toContain('mcp__own__tool_777');
    expect(results[0]?.match(/mcp__own__/g)?.length).toBeLessThanOrEqual(5);
    expect(results[0]?.length).toBeLessThan(5_000);
    expect(results[1]).toBe('called tool_777');
  });

  it('an answer of 100 MB is dropped and named, in bounded memory, and the server can be used on', async () => {
    const place = makePlace();
    const answer = (order: string): string => `if (params_(api).big) { process.stdout.write(${order}); const piece = 'x'.repeat(1_000_000); for (let i = 0; i < 100; i++) { if (!process.stdout.write(piece)) await new Promise((go) => process.stdout.once('drain', go)); } process.stdout.write(end(api.id)); return new Promise(() => {}); } return { content: [{ type: 'text', text: 'small' }] };`;
    const head = (end: string): string => `const params_ = (api) => api.params.arguments; const end = (id) => ${end};`;
    const tools = [{ name: 'work', description: 'Does it.', inputSchema: { type: 'object', properties: { big: { type: 'boolean' } } } }];
    const first = ownServer(place.home, { tools, head: head("'\"}]}}\\n'"), call: answer("'{\"jsonrpc\":\"2.0\",\"id\":' + api.id + ',\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"'") });
    const last = ownServer(place.home, { tools, head: head("'\"}]},\"jsonrpc\":\"2.0\",\"id\":' + id + '}\\n'"), call: answer("'{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"'") });
    const before = process.memoryUsage().rss;
    const { results, statuses } = await turn(place, { first, last }, [call('mcp__first__work', { big: true }), call('mcp__last__work', { big: true }), call('mcp__first__work'), call('mcp__last__work')]);
    expect(results.slice(0, 2).every((text) => text.includes('larger than 16 MiB'))).toBe(true);
    expect(results.slice(2)).toEqual(['small', 'small']);
    expect(statuses).toEqual(['error', 'error', 'ok', 'ok']);
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(250);
  }, 30_000);

  it('a long answer is cut for the model and kept whole in a file', async () => {
    const place = makePlace();
    const { results } = await turn(place, { own: ownServer(place.home, { call: "return { content: [{ type: 'text', text: 'y'.repeat(2_000_000) }] };" }) }, [call('mcp__own__work')]);
    expect(results[0]?.length).toBeLessThan(31_000);
    expect(results[0]).toContain('outputs');
  });

  it('names that collide or hold odd characters are made different and plain; what cannot be used is left out', async () => {
    const place = makePlace();
    const schema = { type: 'object', properties: {} };
    const tools = [
      { name: 'a.b', description: 'zebra', inputSchema: schema }, { name: 'a/b', description: 'zebra', inputSchema: schema }, { name: 'A_B', description: 'zebra', inputSchema: schema },
      { name: 'x'.repeat(200), description: 'giraffe', inputSchema: schema }, { name: '\u202e\u001b[31mred', description: 'lion', inputSchema: schema },
      { name: '', description: 'nothing', inputSchema: schema }, { name: 'twice', description: 'one', inputSchema: schema }, { name: 'twice', description: 'two', inputSchema: schema },
    ];
    const server = supervised(ownServer(place.home, { tools, call: "return { content: [{ type: 'text', text: JSON.stringify(name) }] };" }), place);
    server.begin();
    await server.settled(10_000);
    const names = server.tools().map(({ spec }) => spec.name);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(names.every((name) => /^mcp__own__[\w-]+$/.test(name) && name.length <= 64)).toBe(true);
    expect(names).toHaveLength(6);
    expect(server.state()).toMatchObject({ state: 'ready', notes: [expect.stringContaining('it has no name'), expect.stringContaining('there is one of that name')] });
  });

  it('a schema that would never be checked to its end is bounded', async () => {
    const place = makePlace();
    const bomb = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}`, { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }]));
    const inputSchema = { type: 'object', $defs: { ...bomb, d40: { type: 'string' }, loop: { $ref: '#/$defs/loop' } }, properties: { text: { type: 'string', pattern: '^(a+)+$' }, deep: { $ref: '#/$defs/d0' }, loop: { $ref: '#/$defs/loop' }, wanted: { $ref: '#/$defs/d40' } }, required: ['wanted'] };
    const { results, ms } = await turn(place, { own: ownServer(place.home, { tools: [{ name: 'work', description: 'Does it.', inputSchema }] }) }, [find('does it'), call('mcp__own__work', { text: `${'a'.repeat(40)}!`, deep: 'x', loop: 1, wanted: 'y' }), call('mcp__own__work', { wanted: 5 }), call('mcp__own__work', {})]);
    expect(ms).toBeLessThan(8_000);
    expect(results[1]).toBe('done');
    expect(results[3]).toContain('needs the argument "wanted"');
  });

  it('parts that the model cannot see are named, errors are errors, structured content is shown where there is no text', async () => {
    const place = makePlace();
    const answers = {
      sound: { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }] },
      link: { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a', description: 'a file' }] },
      blob: { content: [{ type: 'resource', resource: { uri: 'file:///b', mimeType: 'application/zip', blob: 'AAAA' } }] },
      structured: { content: [], structuredContent: { temperature: 7 } },
      failed: { content: [{ type: 'text', text: 'no such city' }], isError: true },
      odd: { content: [{ type: 'hologram', data: 1 }] },
    };
    const tools = Object.keys(answers).map((name) => ({ name, description: name, inputSchema: { type: 'object' }, ...(name === 'structured' ? { outputSchema: { type: 'object', properties: { temperature: { type: 'string' } }, required: ['humidity'] } } : {}) }));
    const { results, statuses } = await turn(place, { own: ownServer(place.home, { tools, call: `return (${JSON.stringify(answers)})[name];` }) }, Object.keys(answers).map((name) => call(`mcp__own__${name}`)));
    expect(results[0]).toContain('[sound, audio/wav, 3 bytes');
    expect(results[1]).toBe('Resource file:///a (a): a file');
    expect(results[2]).toContain('[file:///b] [data, application/zip');
    expect(results[3]).toBe('{"temperature":7}');
    expect(results[4]).toBe('no such city');
    expect(statuses.slice(4)).toEqual(['error', 'error']);
  });
});

describe('processes', () => {
  it('a server that is killed 20 times is there again each time, one process at a time, and none is left', async () => {
    const place = makePlace();
    const pids = path.join(place.home, 'pids');
    const server = supervised(ownServer(place.home, { head: `fs.appendFileSync('${pids}', process.pid + '\\n');` }), place, quickClock(pauses));
    server.begin();
    for (let kills = 0; kills < 20; kills++) {
      await until(() => server.state().state === 'ready');
      await callOnce(server);
      const living = pidsIn(pids).filter(isAlive);
      expect(living).toHaveLength(1);
      process.kill(living[0] ?? 0, 'SIGKILL');
      await until(() => server.state().state !== 'ready');
    }
    await until(() => server.state().state === 'ready');
    expect(server.state()).toMatchObject({ restarts: 20 });
    expect(pidsIn(pids)).toHaveLength(21);
    await server.close();
    expect(pidsIn(pids).filter(isAlive)).toEqual([]);
  }, 60_000);

  it('what a server has started ends with it, also when it ignores the request to end', async () => {
    const place = makePlace();
    const pids = path.join(place.home, 'pids');
    const server = supervised(ownServer(place.home, { head: `import { spawn } from 'node:child_process'; process.on('SIGTERM', () => {}); const child = spawn('sleep', ['300'], { stdio: 'ignore' }); fs.appendFileSync('${pids}', process.pid + '\\n' + child.pid + '\\n'); setInterval(() => {}, 1000);` }), place);
    server.begin();
    await server.settled(10_000);
    expect(pidsIn(pids).filter(isAlive)).toHaveLength(2);
    await server.close();
    expect(pidsIn(pids).filter(isAlive)).toEqual([]);
  });

  it('a server over HTTP that is gone is noticed with the next call', async () => {
    const place = makePlace();
    const { url, process: child } = await everythingOverHttp('streamableHttp');
    const server = supervised({ url }, place);
    server.begin();
    await server.settled(10_000);
    expect(server.state().state).toBe('ready');
    child.kill('SIGKILL');
    await expect(callOnce(server)).rejects.toThrow(/gave no result/);
    await until(() => server.state().state !== 'ready');
  }, 20_000);
});

describe('addresses', () => {
  const serve = async (listener: http.RequestListener): Promise<string> => {
    const server = http.createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const place = server.address();
    return `http://127.0.0.1:${place !== null && typeof place === 'object' ? place.port : 0}/mcp`;
  };

  it('that redirect to another place are not followed there, so that no header leaves', async () => {
    const place = makePlace();
    const seen: unknown[] = [];
    const other = await serve((request, response) => { seen.push(request.headers); response.end(); });
    const url = await serve((_request, response) => void response.writeHead(307, { location: other }).end());
    const server = supervised({ url, headers: { Authorization: 'Bearer secret' } }, place);
    server.begin();
    await server.settled(10_000);
    expect(server.state()).toMatchObject({ state: 'failed', reason: expect.stringMatching(/redirect.*http:\/\/127\.0\.0\.1/i) });
    expect(seen).toEqual([]);
  });

  it.each([['application/json', ''], ['text/event-stream', 'event: message\ndata: ']])('that send 100 MB are cut off, in bounded memory (C-C4): %s', async (kind, start) => {
    const place = makePlace();
    let sent = 0;
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, method } = request.method === 'POST' ? JSON.parse(Buffer.concat(chunks).toString()) : {};
        if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
        const json = (value: object): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...value }));
        if (method === 'initialize') return json({ result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'big', version: '1' } } });
        if (method === 'tools/list') return json({ result: { tools: [{ name: 'work', description: 'Does it.', inputSchema: { type: 'object' } }] } });
        if (method !== 'tools/call') return json({ error: { code: -32601, message: 'Method not found' } });
        response.writeHead(200, { 'content-type': kind });
        const piece = 'x'.repeat(1_000_000);
        const more = (): void => {
          while (sent < 100 && !response.destroyed && response.write(piece)) sent += 1;
          if (sent < 100 && !response.destroyed) response.once('drain', more);
        };
        response.write(`${start}{"result":"`);
        more();
      });
    });
    const server = supervised({ url }, place);
    server.begin();
    await server.settled(10_000);
    const began = performance.now();
    await expect(callOnce(server)).rejects.toThrow(/larger than 16 MiB/);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(sent).toBeLessThan(60);
  }, 20_000);

  it('that no longer know the connection are connected to again for the same call, and are told when it is over; other answers are named', async () => {
    const seen: string[] = [];
    const now = { session: '', sessions: 0, broken: false };
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, method } = request.method === 'POST' ? JSON.parse(Buffer.concat(chunks).toString()) : { method: request.method };
        seen.push(`${method} ${String(request.headers['mcp-session-id'] ?? '')}`);
        const json = (value: object, headers = {}): void => void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ jsonrpc: '2.0', id, ...value }));
        if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
        if (method === 'server/discover') return json({ error: { code: -32601, message: 'Method not found' } });
        if (method === 'initialize') {
          now.session = `s${++now.sessions}`;
          return json({ result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } } }, { 'mcp-session-id': now.session });
        }
        if (request.headers['mcp-session-id'] !== now.session) return void response.writeHead(404).end();
        if (method === 'tools/call' && now.broken) return void response.writeHead(503).end(`out of tea for ${request.headers.authorization ?? ''}`);
        if (id === undefined) return void response.writeHead(202).end();
        json({ result: method === 'tools/list' ? { tools: [{ name: 'work', inputSchema: { type: 'object' } }] } : method === 'tools/call' ? { content: [{ type: 'text', text: now.session }] } : {} });
      });
    });
    const server = supervised({ url, headers: { Authorization: 'Bearer secret-token' } }, makePlace());
    server.begin();
    await server.settled(10_000);
    expect(await callOnce(server)).toMatchObject({ content: [{ text: 's1' }] });
    now.session = 'none, it has been started again';
    expect(await Promise.all([callOnce(server), callOnce(server)])).toMatchObject([{ content: [{ text: 's2' }] }, { content: [{ text: 's2' }] }]);
    expect(server.state()).toMatchObject({ state: 'ready', restarts: 1 });
    now.broken = true;
    await expect(callOnce(server)).rejects.toThrow(/gave no result: it answered with the status 503 \(Service Unavailable\): out of tea for \*\*\*$/);
    await server.close();
    expect(seen.filter((line) => line.startsWith('DELETE'))).toContain('DELETE s2');
  });

  it('of the older form stay open for any number of answers: the bound is for each', async () => {
    const { url } = await everythingOverHttp('sse');
    const server = supervised({ url, type: 'sse' }, makePlace());
    server.begin();
    await server.settled(10_000);
    const tool = server.tools().find(({ remote }) => remote.name === 'echo');
    if (!tool) throw new Error('there is no tool');
    for (let bytes = 0; bytes < 20 * 1024 * 1024; bytes += 900_000) await server.call({ tool, input: { message: 'x'.repeat(900_000) }, signal: AbortSignal.timeout(10_000), onProgress: () => undefined });
    expect(server.state()).toMatchObject({ state: 'ready', restarts: 0 });
  }, 20_000);

  it('inside the network are reached only where the definition itself names them', async () => {
    const place = makePlace();
    const { url } = await everythingOverHttp('streamableHttp');
    const { port } = new URL(url);
    const { results } = await turn(place, { metadata: { url: 'https://169.254.169.254/mcp' }, inside: { url: `http://localtest.invalid:${port}/mcp` }, plain: { url: 'http://93.184.216.34/mcp' } }, [find('echo')]);
    expect(results[0]).toMatch(/metadata is not ready: https:\/\/169.254.169.254\/mcp is refused: 169.254.169.254 is a link-local address/);
    expect(results[0]).toMatch(/plain is not ready: .*http: can be read and changed on the way/);
    expect(results[0]).toMatch(/inside is not ready/);
  }, 20_000);
});

it('a server without tools, prompts and resources writes nothing into the output', async () => {
  const place = makePlace();
  const written: unknown[] = [];
  const spies = (['log', 'debug', 'info'] as const).map((name) => vi.spyOn(console, name).mockImplementation((...args) => void written.push(args)));
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  const bare = ownServer(place.home, { capabilities: {} });
  const { runtime } = await open(scriptedModel([find('anything'), 'one', 'two']), { place, settings: { mcpServers: { bare } } });
  const { result } = await say(runtime, { cwd: place.project, text: 'go' });
  const { events } = await say(runtime, { sessionId: result.session_id, text: '/mcp__bare__any' });
  expect(textOf(eventsOf(events, 'tool.completed')[0]?.output ?? [])).toContain('has no prompt any; it has none');
  expect(written).toEqual([]);
});

it('a definition that is gone from the settings takes its server with it', async () => {
  const place = makePlace();
  expect(realServer('everything').command).toBe(process.execPath);
  const pids = path.join(place.home, 'pids');
  const own = ownServer(place.home, { head: `fs.appendFileSync('${pids}', process.pid + '\\n');` });
  const config = path.join(place.data, 'config.json');
  fs.writeFileSync(config, JSON.stringify({ mcpServers: { own } }), { mode: 0o600 });
  const { runtime } = await open(scriptedModel([call('mcp__own__work'), 'one', call('mcp__own__work'), 'two']), { place });
  const { result } = await say(runtime, { cwd: place.project, text: 'go' });
  fs.writeFileSync(config, JSON.stringify({ mcpServers: { other: own } }), { mode: 0o600 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  const { events } = await say(runtime, { sessionId: result.session_id, text: 'again' });
  expect(textOf(eventsOf(events, 'tool.completed')[0]?.output ?? [])).toContain('There is no tool named mcp__own__work');
  await until(() => pidsIn(pids).filter(isAlive).length <= 1);
});

describe('a server of the newest revision', () => {
  const growing = "server.registerTool('grow', { inputSchema: none }, async () => { late(); if (handler) handler.notify.toolsChanged(); return text('grown'); }); const late = () => { globalThis.grown = true; if (!handler) server.registerTool('late', { inputSchema: none }, async () => text('late')); }; if (handler && globalThis.grown) server.registerTool('late', { inputSchema: none }, async () => text('late'));";

  it('is heard over its pipe when its tools change', async () => {
    const server = supervised(libraryServer(makePlace().home, growing), makePlace());
    server.begin();
    await server.settled(10_000);
    expect(server.state()).toMatchObject({ state: 'ready', tools: 1 });
    // It is listened to a moment after it is ready.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await callOnce(server);
    await until(() => server.tools().length === 2);
  }, 20_000);

  it('is heard over HTTP when its tools change', async () => {
    const { url } = await overHttp(libraryServer(makePlace().home, growing).args ?? [], 'mcp');
    const server = supervised({ url }, makePlace());
    server.begin();
    await server.settled(10_000);
    expect(server.state()).toMatchObject({ state: 'ready', tools: 1 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await callOnce(server);
    await until(() => server.tools().length === 2);
  }, 20_000);
});

it('a server of the newest revision that refuses to be listened to is asked for its tools each minute, and its notes say so', async () => {
  const place = makePlace();
  const flag = path.join(place.home, 'grown');
  const about = { supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } }, resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'own', version: '1' } } };
  const server = supervised(ownServer(place.home, {}, `
    if (method === 'server/discover') return send({ id, result: ${JSON.stringify(about)} });
    if (method === 'tools/list') return send({ id, result: { tools: fs.existsSync('${flag}') ? [...tools, { ...tools[0], name: 'late' }] : tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' } });
  `), place, quickClock(minutes));
  server.begin();
  await until(() => JSON.stringify(server.state()).includes('asked for once a minute'));
  expect(server.state()).toMatchObject({ state: 'ready', protocol: '2026-07-28', tools: 1, notes: [expect.stringContaining('cannot be heard when its tools change')] });
  fs.writeFileSync(flag, '');
  await until(() => server.tools().length === 2);
});

describe('a server that does not say to what its tools have changed', () => {
  /** It says so, and refuses to list them as long as there is the file. */
  const refusing = (folder: string, flag: string): McpServerForm => ownServer(folder, {
    head: `let lists = 0; const extra = { name: 'late', description: 'Came late.', inputSchema: { type: 'object' } };`,
    capabilities: { tools: { listChanged: true } },
    call: "await new Promise((resolve) => setTimeout(resolve, 900)); return { content: [{ type: 'text', text: 'done' }] };",
  }, `if (method === 'tools/list') { lists += 1; if (lists === 1) { setTimeout(() => send({ method: 'notifications/tools/list_changed' }), 100); return send({ id, result: { tools } }); } fs.appendFileSync('${flag}.asked', 'x'); if (fs.existsSync('${flag}')) return send({ id, error: { code: -32603, message: 'the registry is locked' } }); return send({ id, result: { tools: [...tools, extra] } }); }`);

  it('is asked again, with growing pauses and then each minute; meanwhile that is its state', async () => {
    const place = makePlace();
    const flag = path.join(place.home, 'locked');
    fs.writeFileSync(flag, '');
    const clock = quickClock(minutes);
    const server = supervised(refusing(place.home, flag), place, clock);
    server.begin();
    await until(() => fs.existsSync(`${flag}.asked`) && fs.readFileSync(`${flag}.asked`, 'utf8').length >= 4);
    await until(() => server.state().state === 'ready' && 'stale' in server.state());
    expect(server.state()).toMatchObject({ state: 'ready', tools: 1, stale: expect.stringContaining('the registry is locked') });
    expect(clock.slept.filter((ms) => [300, 1_200, 4_800, 19_200].includes(ms)).slice(0, 4)).toEqual([300, 1_200, 4_800, 19_200]);
    fs.rmSync(flag);
    await until(() => server.tools().length === 2);
    await until(() => !('stale' in server.state()));
    expect(server.state()).toMatchObject({ state: 'ready', tools: 2, restarts: 0 });
  }, 20_000);

  it('is told to whoever looks for tools', async () => {
    const place = makePlace();
    const flag = path.join(place.home, 'locked');
    fs.writeFileSync(flag, '');
    const { results } = await turn(place, { own: refusing(place.home, flag) }, [find('work'), call('mcp__own__work'), find('work')]);
    expect(results[0]).not.toContain('may have changed');
    expect(results[2]).toContain('mcp__own__work');
    expect(results[2]).toMatch(/The tools of the MCP server own may have changed, and it does not say to what: .*the registry is locked/);
  });
});

describe('a server that nobody asks anything', () => {
  /** A minute is a moment, and what a look may take a second. */
  const hasty = (): ReturnType<typeof quickClock> => quickClock((ms) => (ms === 60_000 ? 100 : ms === 5_000 ? 1_000 : pauses(ms)));

  it('is looked at now and then, and started again when it no longer answers, one process at a time', async () => {
    const place = makePlace();
    const pids = path.join(place.home, 'pids');
    const server = supervised(ownServer(place.home, { head: `fs.appendFileSync('${pids}', process.pid + '\\n'); let asked = 0;` }, `if (method === 'ping' && fs.readFileSync('${pids}', 'utf8').trim().split('\\n').length === 1) { asked += 1; fs.writeFileSync('${pids}.asked', String(asked)); if (asked > 3) return; }`), place, hasty());
    server.begin();
    await server.settled(10_000);
    await until(() => fs.existsSync(`${pids}.asked`) && fs.readFileSync(`${pids}.asked`, 'utf8') === '4');
    expect(pidsIn(pids)).toHaveLength(1);
    await until(() => pidsIn(pids).length === 2 && server.state().state === 'ready');
    expect(server.state()).toMatchObject({ state: 'ready', restarts: 1 });
    expect(pidsIn(pids).filter(isAlive)).toHaveLength(1);
  }, 30_000);

  it('is given up when it never answers: five restarts with growing pauses, then it stands as failed', async () => {
    const place = makePlace();
    const clock = hasty();
    const pids = path.join(place.home, 'pids');
    const server = supervised(ownServer(place.home, { head: `fs.appendFileSync('${pids}', process.pid + '\\n');` }, "if (method === 'ping') process.exit(1);"), place, clock);
    server.begin();
    await until(() => server.state().state === 'failed', 40_000);
    expect(clock.slept.filter((ms) => ms >= 250 && ms < 5_000)).toEqual([250, 500, 1_000, 2_000, 4_000]);
    expect(server.state()).toMatchObject({ state: 'failed', restarts: 5 });
    expect(pidsIn(pids)).toHaveLength(6);
    expect(pidsIn(pids).filter(isAlive)).toEqual([]);
  }, 50_000);
});
