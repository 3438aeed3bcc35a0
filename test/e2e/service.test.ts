import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventsOf, exported, FREE, makePlace, run, start, withProvider, writeSkill, type Place, type Running } from './program.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { startService } from './service.ts';

const HANG = { text: 'never', fault: { kind: 'hang', afterBytes: 0 } } as const;
const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const lines = (name: string): readonly string[] => {
  const file = path.join(place.project, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
};
const list = async (): Promise<readonly { readonly session_id: string; readonly status: string; readonly title: string }[]> => JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout).sessions;
async function soon(look: () => unknown, wanted: unknown): Promise<void> {
  await expect.poll(look, { timeout: 20_000, interval: 20 }).toEqual(wanted);
}

async function end(service: Running): Promise<number> {
  const began = performance.now();
  service.child.kill('SIGTERM');
  const ended = await service.ended;
  expect([ended.code, ended.signal], ended.stderr).toEqual([0, null]);
  return performance.now() - began;
}

describe('a service', () => {
  it('that was killed leaves its turns to the next one, which goes on with them by itself, and with no others', async () => {
    writeSkill(path.join(place.project, '.agents/skills'), { name: 'helper', frontmatter: 'context: fork\n' });
    const provider = await withProvider(place, {
      steps: Array.from({ length: 10 }, () => ({ text }) => {
        if (text.includes('by hand')) return HANG;
        if (text.includes('CHILD RESULT')) return 'The end.';
        if (text.includes('outcome is unknown')) return 'CHILD RESULT';
        return text.includes('"name":"Skill","arguments"') || !text.includes('use the helper') || text.includes('INNER TASK') ? bash('echo once >> log; sleep 600') : { calls: [{ name: 'Skill', input: { skill: 'helper', args: 'INNER TASK' } }] };
      }),
    });
    const byHand = start(place, ['run', 'by hand', ...FREE]);
    await soon(() => provider.requests.length, 1);
    byHand.child.kill('SIGKILL');
    const first = startService(place, ['use the helper']);
    await soon(() => lines('log'), ['once']);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = startService(place);
    await expect.poll(async () => (await list()).map(({ status }) => status).toSorted(), { timeout: 20_000 }).toEqual(['done', 'interrupted']);
    expect((await list()).find(({ status }) => status === 'interrupted')?.title).toBe('by hand');
    expect(lines('log')).toEqual(['once']);
    await end(second);
    const shown = eventsOf((await second.ended).stdout);
    expect(shown.at(-1)).toMatchObject({ type: 'turn.completed', status: 'done', text: 'The end.' });
  });

  it('ends within 10 s of SIGTERM: nothing new begins, what runs is left as it stands, and the next one goes on with it (C-K9)', { timeout: 60_000 }, async () => {
    const provider = await withProvider(place, { steps: Array.from({ length: 6 }, () => ({ text }) => (text.includes('thinking') ? (going ? 'Thought.' : HANG) : text.includes('outcome is unknown') ? 'Looked.' : bash('echo once >> log; trap "" TERM; sleep 600'))) });
    let going = false;
    const first = startService(place, ['thinking', 'doing']);
    await soon(() => [provider.requests.length, lines('log')], [2, ['once']]);
    expect(await end(first)).toBeLessThan(10_000);
    expect((await list()).map(({ status }) => status)).toEqual(['interrupted', 'interrupted']);
    for (const { session_id } of await list()) expect((await exported(place, session_id)).some(({ type }) => type === 'turn.completed')).toBe(false);
    going = true;
    const second = startService(place);
    await expect.poll(async () => (await list()).map(({ status }) => status), { timeout: 20_000 }).toEqual(['done', 'done']);
    await end(second);
    expect(lines('log')).toEqual(['once']);
    const texts = eventsOf((await second.ended).stdout).flatMap((event) => (event.type === 'turn.completed' ? [event['text']] : []));
    expect(texts.toSorted()).toEqual(['Looked.', 'Thought.']);
  });

  it('is the only one of its data folder', async () => {
    await withProvider(place, { steps: [] });
    const first = startService(place);
    await soon(() => workerOf(place), first.child.pid);
    const second = await startService(place).ended;
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining(`queue_busy: Process ${first.child.pid} works on the queue of turns already; only one may.`)]);
    await end(first);
  });

  it('gives up on a turn that has ended it three times at the same place, and says so', { timeout: 60_000 }, async () => {
    let service: Running | undefined;
    const provider = await withProvider(place, { steps: Array.from({ length: 9 }, () => () => {
      service?.child.kill('SIGKILL');
      return HANG;
    }) });
    service = startService(place, ['deadly']);
    await service.ended;
    for (let i = 0; i < 3; i += 1) {
      service = startService(place);
      expect((await service.ended).signal).toBe('SIGKILL');
    }
    let told = '';
    service = startService(place, [], { onError: (text) => { told = text; } });
    await soon(() => told, expect.stringContaining('was cut off 3 times at the same place and is not tried again by itself'));
    await end(service);
    expect([provider.requests.length, (await list())[0]?.status]).toEqual([4, 'interrupted']);
  });
});

function workerOf({ data }: Place): unknown {
  if (!fs.existsSync(path.join(data, 'skillmint.db'))) return undefined;
  const db = openSqlite(path.join(data, 'skillmint.db'), SESSION_MIGRATIONS);
  try {
    return db.get('SELECT owner_pid FROM queue_worker')?.['owner_pid'];
  } finally {
    db.close();
  }
}
