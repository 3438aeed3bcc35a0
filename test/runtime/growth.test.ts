import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Host, ReadTree } from '../../src/host/host.ts';
import { localHost } from '../../src/host/local-host.ts';
import type { Model } from '../../src/model/model.ts';
import type { Database } from '../../src/store/database.ts';
import type * as Sqlite from '../../src/store/sqlite.ts';
import { startFakeProvider } from '../../src/testing/fake-provider/server.ts';
import type { FakeRequest, FakeStep } from '../../src/testing/fake-provider/script.ts';
import { logOf, makePlace, open, say, writeSkill } from './open.ts';

/** What was asked of one database. */
interface Asked {
  statements: number;
  rowsRead: number;
}

/** What turns cost: the store of the sessions, the skill index beside it, and the disk. */
interface Cost {
  readonly sessions: Asked;
  readonly skills: Asked;
  looks: number;
}

const cost = vi.hoisted((): Cost => ({ sessions: { statements: 0, rowsRead: 0 }, skills: { statements: 0, rowsRead: 0 }, looks: 0 }));

vi.mock('../../src/store/sqlite.ts', async (importOriginal) => {
  const original = await importOriginal<typeof Sqlite>();
  const counted = (db: Database, asked: Asked): Database => ({
    ...db,
    run: (...args) => {
      asked.statements += 1;
      return db.run(...args);
    },
    get: (...args) => {
      const row = db.get(...args);
      asked.statements += 1;
      asked.rowsRead += row ? 1 : 0;
      return row;
    },
    all: (...args) => {
      const rows = db.all(...args);
      asked.statements += 1;
      asked.rowsRead += rows.length;
      return rows;
    },
  });
  return { ...original, openSqlite: (...args: Parameters<typeof original.openSqlite>) => counted(original.openSqlite(...args), path.basename(args[0]) === 'skills.db' ? cost.skills : cost.sessions) };
});

/** This machine, with every look at a folder or file of the synchronous tree counted. */
function countingHost(env: Readonly<Record<string, string>>): Host {
  const host = localHost({ env });
  const look = <A extends unknown[], R>(work: (...args: A) => R) => (...args: A): R => {
    cost.looks += 1;
    return work(...args);
  };
  const tree: ReadTree = { list: look(host.tree.list), stat: look(host.tree.stat), isFolder: look(host.tree.isFolder), realPath: look(host.tree.realPath), read: look(host.tree.read) };
  return { ...host, tree };
}

/** Answers each message with one call of Read and then a text; keeps nothing of what it was asked. */
function readingModel(file: string, text: string): Model {
  let calls = 0;
  return {
    info: { provider: 'test', id: 'reading', contextWindow: 50_000_000, maxOutput: 10_000, images: false, documents: false },
    stream: async function* ({ messages }) {
      const usage = { input: 10, output: 10, cache_read: 0, cache_write: 0 };
      calls += 1;
      if (messages.at(-1)?.role === 'user') yield { type: 'done', reply: { content: [{ type: 'tool_call', call_id: `call_${calls}`, tool: 'Read', input: { file_path: file } }], usage, stop: 'tool_calls' } };
      else yield { type: 'done', reply: { content: [{ type: 'text', text }], usage, stop: 'end' } };
    },
  };
}

describe('requests extend each other byte for byte over 30 turns', () => {
  const turn: FakeStep[] = [{ text: 'I look.', reasoning: 'They want a look.', calls: [{ name: 'Read', input: { file_path: 'a.txt' } }, { name: 'Glob', input: { pattern: '*.txt' } }] }, 'Seen.'];

  it.each([['anthropic', 'messages'], ['openai-chat', 'messages'], ['openai-responses', 'input']] as const)('%s', async (api, field) => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.project, 'a.txt'), 'text\n');
    for (let i = 0; i < 12; i += 1) writeSkill(place, `skill-${i}`, { description: `Does the work of number${i} with care.` });
    const provider = await startFakeProvider({ strictPairing: true, steps: Array.from({ length: 30 }, () => turn).flat() });
    onTestFinished(() => provider.close());
    const settings = { model: 'fake/m', providers: { fake: { api, baseUrl: provider.url, apiKey: 'k', models: [{ id: 'm', contextWindow: 500_000, maxOutput: 8_000 }] } } } as const;
    let sessionId: string | undefined;
    for (let i = 0; i < 30; i += 1) {
      const { runtime } = await open(undefined, { place, settings });
      const { result } = await say(runtime, { text: `please do number${i % 12}`, cwd: place.project, ...(sessionId === undefined ? {} : { sessionId }) });
      expect(result.status).toBe('done');
      sessionId = result.session_id;
      if (i % 10 === 9) await runtime.close();
    }
    expect(provider.requests).toHaveLength(60);
    for (const [index, request] of provider.requests.entries()) {
      const next = provider.requests[index + 1];
      if (!next) break;
      expect(openEnd(next, field).startsWith(openEnd(request, field)), `request ${index + 2} extends request ${index + 1}`).toBe(true);
      expect(others(next, field)).toBe(others(request, field));
    }
  });
});

/** The conversation of a request as it was sent, without the bracket that ends it. */
function openEnd({ body, text }: FakeRequest, field: string): string {
  const list = JSON.stringify(body[field]);
  expect(text).toContain(`"${field}":${list}`);
  return list.slice(0, -1);
}

function others({ body }: FakeRequest, field: string): string {
  return JSON.stringify({ ...body, [field]: undefined });
}

describe('a turn costs the same however long the session is', () => {
  it('in statements, rows and looks at the disk, over 60 turns', async () => {
    const place = makePlace();
    const file = path.join(place.project, 'a.txt');
    fs.writeFileSync(file, 'text\n'.repeat(100));
    for (let i = 0; i < 5; i += 1) writeSkill(place, `skill-${i}`);
    const { runtime } = await open(readingModel(file, 'Seen.'), { place, host: countingHost({ HOME: place.home, PATH: process.env['PATH'] ?? '' }) });
    let sessionId: string | undefined;
    const costs: Cost[] = [];
    for (let i = 0; i < 60; i += 1) {
      const before = structuredClone(cost);
      const { result } = await say(runtime, { text: `turn ${i}`, cwd: place.project, ...(sessionId === undefined ? {} : { sessionId }) });
      sessionId = result.session_id;
      costs.push({ sessions: since(before.sessions, cost.sessions), skills: since(before.skills, cost.skills), looks: cost.looks - before.looks });
    }
    expect(costs[5]?.sessions.statements).toBeGreaterThan(5);
    expect(costs[5]?.looks).toBeGreaterThan(5);
    const stored = costs.slice(1).map(({ sessions }) => sessions);
    expect(stored).toEqual(stored.map(() => stored[0]));
    // The index is looked after in the background, some statements for each turn that fall into that turn or the next.
    const [early, late] = [total(costs.slice(10, 35)), total(costs.slice(35))];
    expect(early.statements).toBeGreaterThan(25);
    expect(late.statements).toBeLessThan(1.5 * early.statements);
    expect(late.rowsRead).toBeLessThan(1.5 * early.rowsRead);
    // What is kept of the skills counts only once their files have been still for a while, so the first turns may look more.
    expect(Math.max(...costs.slice(10).map(({ looks }) => looks))).toBeLessThanOrEqual(Math.max(...costs.slice(0, 3).map(({ looks }) => looks)));
  });

  it('and memory grows with the log alone', { timeout: 60_000 }, async () => {
    const place = makePlace();
    const file = path.join(place.project, 'a.txt');
    fs.writeFileSync(file, Array.from({ length: 400 }, (_, i) => `line ${i} of a file that is read again and again`).join('\n'));
    const { runtime } = await open(readingModel(file, 'An answer of some length. '.repeat(40)), { place });
    let sessionId: string | undefined;
    const turns = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 1) sessionId = (await say(runtime, { text: 'once more', cwd: place.project, ...(sessionId === undefined ? {} : { sessionId }) })).result.session_id;
    };
    const logBytes = async (): Promise<number> => JSON.stringify(await logOf(runtime, sessionId ?? '')).length;
    await turns(20);
    const [heapBefore, logBefore] = [heapUsed(), await logBytes()];
    await turns(150);
    const grown = await logBytes() - logBefore;
    expect(grown).toBeGreaterThan(2_000_000);
    expect(heapUsed() - heapBefore).toBeLessThan(2 * grown + 5_000_000);
  });
});

/** Bytes in use after a full collection. */
function heapUsed(): number {
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = vm.runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('no collection can be forced');
  collect();
  return process.memoryUsage().heapUsed;
}

function since(before: Asked, now: Asked): Asked {
  return { statements: now.statements - before.statements, rowsRead: now.rowsRead - before.rowsRead };
}

/** What was asked of the index in these turns. */
function total(costs: readonly Cost[]): Asked {
  const sum = (of: (asked: Asked) => number): number => costs.reduce((all, { skills }) => all + of(skills), 0);
  return { statements: sum(({ statements }) => statements), rowsRead: sum(({ rowsRead }) => rowsRead) };
}
