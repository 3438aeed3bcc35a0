import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import type { McpServerForm } from '../../src/protocol/mcp.ts';
import { scriptedModel, type ScriptedReply, type ScriptedStep } from '../../src/testing/scripted-model.ts';
import { libraryServer, ownServer, realServer } from '../mcp/servers.ts';
import { eventsOf, finish, makePlace, open, say, type Finished, type OpenOptions, type Place } from './open.ts';

const call = (tool: string, input = {}): ScriptedStep => ({ calls: [{ tool: 'CallTool', input: { tool, input } }] });
const results = ({ events }: Finished): readonly string[] => eventsOf(events, 'tool.completed').map(({ output }) => textOf(output));

async function turn(own: McpServerForm, place: Place, steps: readonly ScriptedStep[], more: OpenOptions = {}): Promise<Finished> {
  const { runtime } = await open(scriptedModel([...steps, 'done']), { ...more, place, settings: { mcpServers: { own }, ...more.settings } });
  const finished = await say(runtime, { cwd: place.project, text: 'go' });
  await runtime.close();
  return finished;
}

/** Answers the one open question, in a runtime of its own. */
async function answer(own: McpServerForm, place: Place, sessionId: string, text: string): Promise<Finished> {
  const { runtime } = await open(scriptedModel(['done']), { place, settings: { mcpServers: { own } } });
  const finished = await finish(await runtime.answer({ sessionId, answer: { kind: 'text', text } }));
  await runtime.close();
  return finished;
}

/** A tool that asks for what `schema` says, writes down each call of it, and gives back what it got. */
const asking = (place: Place, schema: object, more = ''): McpServerForm => libraryServer(place.home, `
  server.registerTool('deploy', { inputSchema: none }, async (_input, ctx) => {
    fs.appendFileSync('${place.home}/calls', 'x');
    const got = ctx.mcpReq.inputResponses?.it;
    if (got) return text({ got, state: ctx.mcpReq.requestState() });
    return inputRequired({ inputRequests: { it: inputRequired.elicit({ message: 'Deploy to where?', requestedSchema: ${JSON.stringify(schema)} }) }, requestState: 'state-7' });
  });
  ${more}`);
const calls = (place: Place): number => fs.readFileSync(path.join(place.home, 'calls'), 'utf8').length;
const FIELD = { type: 'object', properties: { place: { type: 'string', enum: ['test', 'live'], description: 'The place.' } }, required: ['place'] };

describe('a form of a server of the newest revision', () => {
  it('is a question to the person that waits, names the server, and is answered in another process', async () => {
    const place = makePlace();
    const own = asking(place, FIELD);
    const first = await turn(own, place, [call('mcp__own__deploy')]);
    expect(first.result.status).toBe('waiting');
    expect(eventsOf(first.events, 'question.asked')[0]).toMatchObject({ question: 'The MCP server own asks:\n> Deploy to where?\nThe place.', options: ['test', 'live', 'decline'] });
    expect(calls(place)).toBe(1);
    const second = await answer(own, place, first.result.session_id, 'live');
    expect(second.result.status).toBe('done');
    expect(JSON.parse(results(second)[0] ?? '')).toEqual({ got: { action: 'accept', content: { place: 'live' } }, state: 'state-7' });
    expect(calls(place)).toBe(2);
  });

  it('can be declined, and is asked for again when the answer does not fit', async () => {
    const place = makePlace();
    const own = asking(place, FIELD);
    const first = await turn(own, place, [call('mcp__own__deploy')]);
    const again = await answer(own, place, first.result.session_id, 'mars');
    expect(again.result.status).toBe('waiting');
    expect(eventsOf(again.events, 'question.asked')[0]?.question).toMatch(/^That could not be used: place has to be \(one of test \/ live\): The place\.\nThe MCP server own asks/);
    expect(calls(place)).toBe(1);
    const declined = await answer(own, place, first.result.session_id, 'decline');
    expect(JSON.parse(results(declined)[0] ?? '')).toMatchObject({ got: { action: 'decline' } });
  });

  it('takes several fields, by lines or as JSON, each of its kind', async () => {
    const place = makePlace();
    const own = asking(place, { type: 'object', properties: { name: { type: 'string' }, count: { type: 'integer' }, sure: { type: 'boolean' }, tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } }, note: { type: 'string' } }, required: ['name', 'count', 'sure'] });
    for (const text of ['name: Ada: the first\ncount: 3\nsure: yes\ntags: a, c', '{"name": "Ada: the first", "count": 3, "sure": true, "tags": ["a", "c"]}']) {
      const { result, events } = await turn(own, place, [call('mcp__own__deploy')]);
      expect(eventsOf(events, 'question.asked')[0]?.question).toContain('- tags (some of a / b / c, may be left out)');
      expect((await answer(own, place, result.session_id, 'name: x\ncount: many\nsure: no')).result.status).toBe('waiting');
      const done = await answer(own, place, result.session_id, text);
      expect(JSON.parse(results(done)[0] ?? '')).toMatchObject({ got: { content: { name: 'Ada: the first', count: 3, sure: true, tags: ['a', 'c'] } } });
    }
  });

  it('is asked for after consent to the call, and gives none', async () => {
    const place = makePlace();
    const own = asking(place, FIELD);
    const mode = { settings: { permissions: { mode: 'default' as const } } };
    const { result } = await turn(own, place, [call('mcp__own__deploy')], mode);
    expect(result.open[0]?.question.kind).toBe('permission');
    expect(fs.existsSync(path.join(place.home, 'calls'))).toBe(false);
    const { runtime } = await open(scriptedModel(['done']), { place, settings: { mcpServers: { own }, ...mode.settings } });
    const asked = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect(asked.result.open[0]?.question.kind).toBe('question');
    await runtime.close();
    const { runtime: third } = await open(scriptedModel([call('mcp__own__deploy'), 'never']), { place, settings: { mcpServers: { own }, ...mode.settings } });
    const done = await finish(await third.answer({ sessionId: result.session_id, answer: { kind: 'text', text: 'live' } }));
    expect(results(done)[0]).toContain('"place":"live"');
    expect(done.result.status).toBe('waiting');
    expect(done.result.open[0]?.question.kind).toBe('permission');
  });

  it('does not go back to a server that a rule denies by now', async () => {
    const place = makePlace();
    const own = asking(place, FIELD);
    const { result } = await turn(own, place, [call('mcp__own__deploy')]);
    const { runtime } = await open(scriptedModel(['done']), { place, settings: { mcpServers: { own }, permissions: { mode: 'unrestricted', deny: ['mcp__own'] } } });
    const done = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'text', text: 'live' } }));
    expect(eventsOf(done.events, 'tool.completed').map(({ status }) => status)).toEqual(['denied']);
    expect(calls(place)).toBe(1);
  });

  it('is not put to the person when it is no form, and never in an endless row', async () => {
    const place = makePlace();
    const own = libraryServer(place.home, `
      server.registerTool('address', { inputSchema: none }, async () => inputRequired({ inputRequests: { it: { method: 'elicitation/create', params: { mode: 'url', url: 'https://evil.example/login', message: 'Log in', elicitationId: '1' } } } }));
      server.registerTool('sample', { inputSchema: none }, async () => inputRequired({ inputRequests: { it: inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 }) } }));
      server.registerTool('endless', { inputSchema: none }, async () => inputRequired({ requestState: 'x' }));`);
    const finished = await turn(own, place, [call('mcp__own__address'), call('mcp__own__sample'), call('mcp__own__endless')]);
    expect(finished.result.status).toBe('done');
    const [address, sample, endless] = results(finished);
    for (const one of [address, sample]) expect(one).toMatch(/own (?:gave no result|refused)/);
    expect(endless).toContain('it wanted something 10 times over');
    expect(JSON.stringify(finished.events)).not.toContain('"question.asked"');
  });
});

it('a server of an older revision is not told that it may ask, and gets no answer of a person or a model', async () => {
  const place = makePlace();
  const own = ownServer(place.home, {
    head: `let waiting; let told;`,
    call: `return { content: [{ type: 'text', text: JSON.stringify({ told, answers: await Promise.all(['elicitation/create', 'sampling/createMessage'].map((asked, index) => new Promise((resolve) => { waiting ??= {}; waiting['r' + index] = resolve; send({ id: 'r' + index, method: asked, params: { message: 'password?', requestedSchema: { type: 'object', properties: {} }, messages: [], maxTokens: 1 } }); }))) }) }] };`,
  }, `const got = JSON.parse(line); if (method === 'initialize') told = params.capabilities; if (waiting && waiting[got.id]) { waiting[got.id](got.error?.message ?? 'answered'); return; }`);
  const finished = await turn(own, place, [call('mcp__own__work')]);
  const { told, answers } = JSON.parse(results(finished)[0] ?? '{}');
  expect(told).toEqual({ roots: { listChanged: true } });
  expect(answers).toEqual(['Method not found', 'Method not found']);
});

describe('the folders of a session', () => {
  it('are told to programs that ask: real ones of older revisions, and those of the newest', async () => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.project, 'a.txt'), 'content of a');
    const files = realServer('filesystem', place.home);
    const read = call('mcp__own__read_text_file', { path: path.join(place.project, 'a.txt') });
    // It asks when it has started, beside its first answers.
    const later = async (): Promise<ScriptedReply> => {
      await sleep(1_000);
      return { calls: [{ tool: 'mcp__own__list_allowed_directories', input: {} }] };
    };
    expect(results(await turn(files, place, [call('mcp__own__list_allowed_directories'), later, read]))[1]).toContain(place.project);
    expect(results(await turn({ ...files, roots: false }, place, [call('mcp__own__list_allowed_directories'), read]))).toEqual([expect.not.stringContaining(place.project), expect.stringContaining('Access denied')]);
    const newest = libraryServer(place.home, "server.registerTool('where', { inputSchema: none }, async (_input, ctx) => (ctx.mcpReq.inputResponses?.it ? text(ctx.mcpReq.inputResponses.it.roots) : inputRequired({ inputRequests: { it: inputRequired.listRoots() } })));");
    expect(JSON.parse(results(await turn(newest, place, [call('mcp__own__where')]))[0] ?? '')).toEqual([{ uri: `file://${place.project}`, name: 'project' }]);
  });

  it('of two sessions are told to the one process that both use', async () => {
    const place = makePlace();
    const other = path.join(place.home, 'other');
    fs.mkdirSync(other);
    const files = realServer('filesystem', place.home);
    const { runtime } = await open(scriptedModel([call('mcp__own__list_allowed_directories'), 'one', call('mcp__own__list_allowed_directories'), 'two', call('mcp__own__list_allowed_directories'), 'three']), { place, settings: { mcpServers: { own: files } } });
    const first = await say(runtime, { cwd: place.project, text: 'go' });
    expect(results(first)[0]).not.toContain(other);
    await say(runtime, { cwd: other, text: 'go' });
    const third = await say(runtime, { cwd: other, text: 'go' });
    expect(results(third)[0]).toContain(other);
    expect(results(third)[0]).toContain(place.project);
  });
});
