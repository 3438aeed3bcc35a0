import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRuntime } from '../../src/runtime/create-runtime.ts';
import { defineTool, type SchemaOf } from '../../src/runtime/embed/define-tool.ts';
import type { GivenSkill, SkillSource } from '../../src/runtime/embed/given-skill.ts';
import type { OwnTool } from '../../src/runtime/embed/own-tool.ts';
import type { StoredEvent } from '../../src/protocol/events.ts';
import type { Lease, Owner, SessionStore } from '../../src/sessions/store.ts';
import { memorySessions, sessionMemory, type SessionMemory } from '../../src/testing/memory-sessions.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { withoutBubblewrap } from '../e2e/program.ts';
import { eventsOf, finish, logOf, makePlace, open, say } from './open.ts';

const OBJECT = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false } as const;

function weather(more: Partial<OwnTool> = {}): OwnTool & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return { name: 'weather', description: 'Tells the weather of a city.', inputSchema: OBJECT, readOnly: true, call: async ({ city }, { cwd }) => (asked.push([city, path.basename(cwd)]), { city, degrees: 21 }), ...more, asked };
}

const textOf = (parts: readonly { readonly type: string; readonly text?: string }[] | undefined): string => (parts ?? []).map(({ text }) => text ?? '').join('');

describe('own tools', () => {
  it('are offered, checked, called, and told as JSON', async () => {
    const tool = weather();
    const model = scriptedModel([{ calls: [{ tool: 'weather', input: { city: 'Basel' } }, { tool: 'weather', input: { town: 'Basel' } }] }, 'warm']);
    const { runtime, place } = await open(model, { tools: [tool], settings: { permissions: { mode: 'default' } } });
    const { result, events } = await say(runtime, { text: 'weather?', cwd: place.project });
    expect(result).toMatchObject({ status: 'done', text: 'warm' });
    expect(tool.asked).toEqual([['Basel', 'project']]);
    const [bad, good] = eventsOf(events, 'tool.completed').toSorted((a, b) => a.status.localeCompare(b.status));
    expect([good?.status, textOf(good?.output)]).toEqual(['ok', '{"city":"Basel","degrees":21}']);
    expect([bad?.status, textOf(bad?.output)]).toEqual(['error', expect.stringMatching(/city/)]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('weather');
  });

  it('that change something ask, deny rules hold, and what they throw is told', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'order', input: {} }] }, 'ordered', { calls: [{ tool: 'order', input: {} }] }, 'not ordered', { calls: [{ tool: 'broken', input: {} }] }, 'it failed']);
    const order: OwnTool = { name: 'order', description: 'Orders.', inputSchema: { type: 'object' }, call: async () => undefined };
    const broken: OwnTool = { ...order, name: 'broken', readOnly: true, call: async () => { throw new Error('the shop is closed'); } };
    const { runtime, place } = await open(model, { tools: [order, broken], settings: { permissions: { mode: 'default' } } });
    const waiting = await say(runtime, { text: 'order', cwd: place.project });
    expect(waiting.result).toMatchObject({ status: 'waiting', open: [{ call: { tool: 'order' } }] });
    const ordered = await finish(await runtime.answer({ sessionId: waiting.result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect([ordered.result.text, textOf(eventsOf(ordered.events, 'tool.completed')[0]?.output)]).toEqual(['ordered', 'Done.']);
    const denied = await say(runtime, { text: 'order', cwd: place.project, deny: ['order'] });
    expect(eventsOf(denied.events, 'tool.completed')[0]?.status).toBe('denied');
    const failed = await say(runtime, { text: 'try', cwd: place.project });
    expect(textOf(eventsOf(failed.events, 'tool.completed')[0]?.output)).toBe('broken failed: the shop is closed');
  });

  it.each([
    [[weather({ name: 'two words' })], /no name for a tool/],
    [[weather({ name: 'read_file' })], /built-in/],
    [[weather(), weather({ name: 'Weather' })], /Two tools are named Weather/],
  ])('with names that cannot be are refused', async (tools, says) => {
    await expect(open(scriptedModel([]), { tools })).rejects.toThrow(says);
  });
});

describe('own tools with a schema of zod', () => {
  const seats = defineTool({
    name: 'book', description: 'Books seats.', readOnly: true,
    inputSchema: z.object({ city: z.string().describe('Where.'), day: z.iso.date().transform((text) => new Date(text)), seats: z.number().int().default(2) }).refine(({ city }) => city !== 'Atlantis', { message: 'there are no trains', path: ['city'] }),
    call: async ({ city, day, seats: wanted }) => `${wanted + 0} seats to ${city.toUpperCase()} in ${day.getUTCFullYear()}`,
  });

  it('get what the schema makes of the arguments, and the model is told what is wrong', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'book', input: { city: 'Basel', day: '2026-03-01' } }] }, { calls: [{ tool: 'book', input: { city: 'Atlantis', day: '2026-03-01' } }] }, { calls: [{ tool: 'book', input: { day: 'x' } }] }, 'booked']);
    const { runtime, place } = await open(model, { tools: [seats] });
    const { result, events } = await say(runtime, { text: 'book', cwd: place.project });
    expect(result.text).toBe('booked');
    expect(eventsOf(events, 'tool.completed').map(({ status, output }) => [status, textOf(output)])).toEqual([
      ['ok', '2 seats to BASEL in 2026'],
      ['error', 'book failed: the arguments do not fit: city: there are no trains'],
      ['error', expect.stringMatching(/city/)],
    ]);
    const spec = model.requests[0]?.tools.find(({ name }) => name === 'book');
    expect(spec?.input_schema).toMatchObject({ type: 'object', required: expect.arrayContaining(['city']), properties: { city: { type: 'string', description: 'Where.' }, seats: { default: 2 } } });
    expect(spec?.input_schema).not.toHaveProperty('$schema');
  });

  it.each([
    [z.string(), /describes no object/],
    [z.object({ day: z.date() }), /has no JSON Schema: Date cannot be represented/],
    [{ '~standard': { version: 1, vendor: 'old', validate: () => ({ value: {} }) } }, /\(old\) cannot tell its JSON Schema/],
  ] as const satisfies readonly (readonly [SchemaOf<unknown>, RegExp])[])('refuse what is no schema of an object: %#', (inputSchema, says) => {
    expect(() => defineTool<unknown>({ name: 'book', description: 'Books.', inputSchema, call: async () => 'x' })).toThrow(says);
  });
});

const GREETING: GivenSkill = {
  name: 'greeting', description: 'Greets people politely in the way of the house.', instructions: 'Say good day. Run scripts/hello.sh.',
  frontmatter: { team: 'front desk', tags: ['a: b', 'c'] },
  files: { 'scripts/hello.sh': '#!/bin/sh\necho "hello $1"\n', 'references/how.md': 'Politely.' },
};

describe('skills without folders', () => {
  it('are found, come first, are trusted, load, and cannot be changed', async () => {
    const place = makePlace();
    const folder = path.join(place.data, 'skills', 'greeting');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: greeting\ndescription: Another greeting.\n---\nNo.\n');
    const model = scriptedModel([{ calls: [{ tool: 'Skill', input: { skill: 'greeting' } }] }, 'good day']);
    const { runtime } = await open(model, { place, skills: [GREETING] });
    const { entries } = await runtime.skills(place.project);
    expect(entries.filter(({ name }) => name === 'greeting').map(({ id, handle, status }) => [id, handle, status])).toEqual([['memory:greeting', 'greeting', 'loaded'], ['user:greeting', 'user:greeting', 'loaded']]);
    expect(entries[0]?.frontmatter.other).toMatchObject({ team: 'front desk', tags: ['a: b', 'c'] });
    const { events, result } = await say(runtime, { text: 'greet', cwd: place.project });
    expect(eventsOf(events, 'skill.activated')[0]).toMatchObject({ skill_id: 'memory:greeting', body: expect.stringContaining('Say good day.') });
    expect(result.text).toBe('good day');
    const library = await runtime.library(place.project);
    await expect(library.remove('memory:greeting')).rejects.toThrow(/the program that runs skillmint brings it/);
  });

  it.skipIf(withoutBubblewrap)('run their scripts in the sandbox', async () => {
    const { runtime, place } = await open(scriptedModel([]), { skills: [GREETING], settings: { sandbox: 'required' } });
    const library = await runtime.library(place.project);
    expect(await library.execute('greeting', ['Ada'], { script: 'scripts/hello.sh' })).toMatchObject({ stdout: 'hello Ada\n', exitCode: 0 });
  });

  it('come from sources for each folder, anew with each turn, and are gone at the end', async () => {
    let tenants = ['first'];
    const source: SkillSource = async function* ({ cwd }) {
      for (const name of tenants) yield { name, description: `Of ${path.basename(cwd)}.`, instructions: 'x' };
    };
    const { runtime, place } = await open(scriptedModel([]), { skills: [GREETING], skillSources: [source] });
    const names = async (): Promise<readonly string[]> => (await runtime.skills(place.project)).entries.filter(({ source: from }) => from === 'memory').map(({ name, description }) => `${name}: ${description}`);
    expect(await names()).toEqual(expect.arrayContaining(['first: Of project.', expect.stringMatching(/^greeting/)]));
    const [entry] = (await runtime.skills(place.project)).entries;
    tenants = ['second'];
    expect(await names()).toEqual([expect.stringMatching(/^greeting/), 'second: Of project.']);
    await runtime.close();
    expect(fs.existsSync(entry?.folder ?? '')).toBe(false);
  });

  it.each([
    [{ ...GREETING, name: 'No Name' }, /no name for a skill/],
    [{ ...GREETING, description: '' }, /description is empty/],
    [{ ...GREETING, files: { '../outside': 'x' } }, /leads upward/],
    [{ ...GREETING, files: { 'SKILL.md': 'x' } }, /cannot be a file of the skill/],
  ])('that are none are refused: %#', async (skill, says) => {
    const { runtime, place } = await open(scriptedModel([]), { skills: [skill] });
    await expect(runtime.skills(place.project)).rejects.toThrow(says);
  });

  it('are named in the instructions for other loops, where these are asked for a task', async () => {
    const { runtime, place } = await open(scriptedModel([]), { skills: [GREETING, { name: 'invoices', description: 'Checks invoices against orders.', instructions: 'Compare them.' }] });
    const { instructions } = await runtime.skillTools({ cwd: place.project, query: 'greet the people politely' });
    expect(instructions).toMatch(/find_skills[^]*\n\nLoad one with load_skill before you begin:\n- memory:greeting: Greets people/);
    expect((await runtime.skillTools({ cwd: place.project })).instructions).not.toContain('memory:');
    expect((await runtime.skillTools({ cwd: place.project, query: 'zzqx' })).instructions).toContain('No skill fits.');
  });

  it('have own fields checked by the program', async () => {
    const { runtime, place } = await open(scriptedModel([]), { skills: [GREETING, { ...GREETING, name: 'other', description: 'Another one.', frontmatter: {} }], skillFields: { team: (value) => (typeof value === 'string' ? undefined : 'has to name a team') } });
    const { entries } = await runtime.skills(place.project);
    const found = entries.filter(({ source }) => source === 'memory').map(({ name, diagnostics }) => [name, diagnostics.filter(({ code }) => code === 'own-field').map(({ message }) => message)]);
    expect(found).toEqual([['greeting', []], ['other', ['the field team has to name a team']]]);
  });
});

describe('a handler of requests', () => {
  const asking = (): ReturnType<typeof scriptedModel> => scriptedModel([{ calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }] }, { calls: [{ tool: 'AskUserQuestion', input: { question: 'Which colour?' } }] }, 'blue it is']);

  it('answers in place of a person, within one turn', async () => {
    const seen: string[] = [];
    const { runtime, place } = await open(asking(), {
      settings: { permissions: { mode: 'default' } },
      answers: async ({ question, call }) => {
        seen.push(`${call.tool} ${question.kind}`);
        return question.kind === 'permission' ? { kind: 'permission', decision: 'allow', scope: 'once' } : { kind: 'text', text: 'blue' };
      },
    });
    const { result, events } = await say(runtime, { text: 'go', cwd: place.project });
    expect([result.status, result.text, seen]).toEqual(['done', 'blue it is', ['Write permission', 'AskUserQuestion question']]);
    expect(fs.readFileSync(path.join(place.project, 'a.txt'), 'utf8')).toBe('x');
    expect(eventsOf(events, 'turn.completed').map(({ status }) => status)).toEqual(['done']);
    const log = await logOf(runtime, result.session_id);
    expect(eventsOf(log, 'turn.completed').map(({ status }) => status)).toEqual(['waiting', 'waiting', 'done']);
  });

  it('that does not answer leaves the turn to a person, and one that fails says so', async () => {
    const { runtime, place } = await open(asking(), { settings: { permissions: { mode: 'default' } }, answers: async () => undefined });
    const { result, events } = await say(runtime, { text: 'go', cwd: place.project });
    expect([result.status, eventsOf(events, 'turn.completed').map(({ status }) => status)]).toEqual(['waiting', ['waiting']]);
    const failing = await open(asking(), { settings: { permissions: { mode: 'default' } }, answers: async () => { throw new Error('nobody is there'); } });
    const turn = await failing.runtime.prompt({ text: 'go', cwd: failing.place.project });
    await expect(turn.result).rejects.toThrow('nobody is there');
    expect((await failing.runtime.sessions.get(turn.sessionId)).status).toBe('waiting');
  });
});

describe('sessions in a store of the program', () => {
  /** A class, as programs write them: what it has from its prototype has to be found, too. */
  class AuditedStore implements SessionStore {
    readonly seen: string[] = [];
    closed = 0;
    readonly #store: SessionStore;
    readonly leaseMs: number;
    constructor(memory: SessionMemory) {
      this.#store = memorySessions({ memory });
      this.leaseMs = this.#store.leaseMs;
    }
    create: SessionStore['create'] = (session, owner) => this.#store.create(session, owner);
    acquire: SessionStore['acquire'] = (id, owner) => this.#store.acquire(id, owner);
    renew(lease: Lease): Promise<void> { return this.#store.renew(lease); }
    release(lease: Lease): Promise<void> { return this.#store.release(lease); }
    append: SessionStore['append'] = async (lease, events, options) => {
      this.seen.push(...events.map(({ body }) => body.type));
      return this.#store.append(lease, events, options);
    };
    read(id: string, after?: number): AsyncIterable<StoredEvent> { return this.#store.read(id, after); }
    get: SessionStore['get'] = (id) => this.#store.get(id);
    list: SessionStore['list'] = (query) => this.#store.list(query);
    left(): Promise<readonly string[]> { return this.#store.left(); }
    fork: SessionStore['fork'] = (id, target, owner) => this.#store.fork(id, target, owner);
    remove(ids: readonly string[]): Promise<void> { return this.#store.remove(ids); }
    rules(cwd: string): Promise<readonly string[]> { return this.#store.rules(cwd); }
    addRules(cwd: string, rules: readonly string[]): Promise<void> { return this.#store.addRules(cwd, rules); }
    usage: SessionStore['usage'] = (query) => this.#store.usage(query);
    async close(): Promise<void> { this.closed += 1; }
  }

  it('has everything that happens, goes on in the next runtime, and leaves no file of sessions behind', async () => {
    const memory = sessionMemory();
    const store = new AuditedStore(memory);
    const { runtime, place } = await open(scriptedModel([{ calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }] }]), { sessions: { store }, settings: { permissions: { mode: 'default' } } });
    const waiting = await say(runtime, { text: 'write', cwd: place.project });
    expect(waiting.result.status).toBe('waiting');
    await runtime.close();
    expect([store.closed, store.seen]).toEqual([1, expect.arrayContaining(['session.started', 'turn.started', 'permission.requested', 'turn.completed'])]);
    const next = await open(scriptedModel(['written']), { place, sessions: { store: memorySessions({ memory }) }, settings: { permissions: { mode: 'default' } } });
    const { result } = await finish(await next.runtime.answer({ sessionId: waiting.result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'once' } }));
    expect([result.status, result.text, fs.readFileSync(path.join(place.project, 'a.txt'), 'utf8')]).toEqual(['done', 'written', 'x']);
    const fork = await next.runtime.sessions.fork(result.session_id);
    expect((await next.runtime.sessions.list({ limit: 9 })).map(({ session_id }) => session_id).toSorted()).toEqual([result.session_id, fork].toSorted());
    expect(fs.existsSync(path.join(place.data, 'skillmint.db'))).toBe(false);
  });

  it('gives what was cut off to the next service', async () => {
    const memory = sessionMemory();
    const cut = memorySessions({ memory });
    const gone: Owner = { instance: 'gone', machine: 'test', pid: 1, started: 'x', service: true };
    const first = await open(scriptedModel(['one']), { sessions: { store: cut }, service: true });
    const { result } = await say(first.runtime, { text: 'begin', cwd: first.place.project });
    await first.runtime.close();
    const mine = await cut.acquire(result.session_id, gone);
    await cut.append(mine, [{ body: { type: 'turn.started', turn_id: 'cut', input: [{ type: 'text', text: 'go on' }] }, time: new Date().toISOString() }]);
    await cut.release(mine);
    const next = await open(scriptedModel(['went on']), { place: first.place, sessions: { store: cut }, service: true });
    const stop = new AbortController();
    const work = next.runtime.work({ signal: stop.signal });
    await expect.poll(async () => (await cut.get(result.session_id))?.status, { timeout: 10_000 }).toBe('done');
    stop.abort();
    await work;
    expect(eventsOf(await logOf(next.runtime, result.session_id), 'turn.completed').at(-1)).toMatchObject({ turn_id: 'cut', text: 'went on' });
  });

  it('tells what the store throws, and is not mixed with a database', async () => {
    const { runtime, place } = await open(scriptedModel(['never']), { sessions: { store: { ...memorySessions(), create: async () => { throw new Error('the shelf is full'); } } } });
    await expect(runtime.prompt({ text: 'x', cwd: place.project })).rejects.toThrow('the shelf is full');
    await expect(createRuntime({ dataFolder: place.data, home: place.home, sessions: { store: memorySessions() }, database: { url: 'postgres://nobody@127.0.0.1:1/x' } })).rejects.toThrow(/`sessions` or `database`, not both/);
  });
});

describe('two runtimes in one process', () => {
  it('do not see each other', async () => {
    const one = await open(scriptedModel([{ calls: [{ tool: 'weather', input: { city: 'Basel' } }] }, 'one']), { tools: [weather()], skills: [GREETING] });
    const other = await open(scriptedModel([{ calls: [{ tool: 'weather', input: { city: 'Basel' } }] }, 'other']));
    const [first, second] = await Promise.all([say(one.runtime, { text: 'go', cwd: one.place.project }), say(other.runtime, { text: 'go', cwd: other.place.project })]);
    expect([eventsOf(first.events, 'tool.completed')[0]?.status, eventsOf(second.events, 'tool.completed')[0]?.status]).toEqual(['ok', 'error']);
    expect((await other.runtime.skills(other.place.project)).entries.some(({ name }) => name === 'greeting')).toBe(false);
    expect((await one.runtime.sessions.list({ limit: 10 })).map(({ session_id }) => session_id)).toEqual([first.result.session_id]);
    expect((await other.runtime.sessions.list({ limit: 10 })).map(({ session_id }) => session_id)).toEqual([second.result.session_id]);
    await one.runtime.close();
    expect((await say(other.runtime, { text: 'again', cwd: other.place.project })).result.status).toBe('failed');
  });
});
