import { describe, expect, it } from 'vitest';
import { SkillmintError } from '../../src/protocol/errors.ts';
import { readiness } from '../../src/server/readiness.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { openServer } from './open-server.ts';

describe('readiness', () => {
  it('is told without a login', async () => {
    const server = await openServer(scriptedModel([]));
    expect(await server.bare('GET', '/ready')).toMatchObject({ status: 200, json: { status: 'ready' } });
  });

  it('asks the store at most once a second, and tells when it is away and when the server ends', async () => {
    let [asked, now, away] = [0, 0, false];
    const stop = new AbortController();
    const reachable = async (): Promise<void> => {
      asked += 1;
      if (away) throw new SkillmintError('store_unavailable', 'The database does not answer.');
    };
    const ready = readiness({ reachable, signal: stop.signal, now: () => now });
    expect([await ready(), await ready(), asked]).toEqual(['ready', 'ready', 1]);
    away = true;
    expect(await ready()).toBe('ready');
    now = 2_000;
    expect([await ready(), asked]).toEqual(['store_unavailable', 2]);
    [now, away] = [4_000, false];
    expect(await ready()).toBe('ready');
    stop.abort();
    expect(await ready()).toBe('ends');
  });
});
