import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { createRuntime } from '../../../src/runtime/create-runtime.ts';
import type { DatabaseOptions } from '../../../src/runtime/database/backend.ts';
import { scriptedModel, type ScriptedModel, type ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { startCluster, withoutPostgres, type Cluster } from '../../helpers/postgres.ts';
import { makePlace, type Place } from '../open.ts';
import { describeSharedHome, type HomeWorker } from './shared-home-contract.ts';

async function worker(place: Place, database?: DatabaseOptions): Promise<HomeWorker> {
  const runtime = await createRuntime({
    env: { PATH: process.env['PATH'] ?? '', HOME: place.home, LANG: 'C.UTF-8' },
    home: place.home, dataFolder: place.data, service: true,
    settings: { sandbox: 'off', permissions: { mode: 'unrestricted' } },
    model: model(),
    ...(database ? { database } : {}),
  });
  onTestFinished(() => runtime.close());
  return { runtime, place };
}

/** Does what the last message asks for, then ends. */
function model(): ScriptedModel {
  return scriptedModel(Array.from({ length: 20 }, (): ScriptedStep => ({ messages }) => {
    const last = JSON.stringify(messages.at(-1));
    const all = JSON.stringify(messages);
    if (all.includes('please edit') && !all.includes('"Read"')) return { calls: [{ tool: 'Read', input: { file_path: 'notes.txt' } }] };
    if (all.includes('please edit') && !all.includes('"Edit"')) return { calls: [{ tool: 'Edit', input: { file_path: 'notes.txt', old_string: 'as it was', new_string: 'changed' } }] };
    if (last.includes('remember')) return { calls: [{ tool: 'CallTool', input: { tool: 'Memory', input: { action: 'write', key: 'from-a-turn', content: 'kept by a model' } } }] };
    if (last.includes('load it')) return { calls: [{ tool: 'Skill', input: { skill: 'later' } }] };
    return 'done';
  }));
}

describeSharedHome('SQLite and one home', async () => {
  const place = makePlace();
  return { a: await worker(place), b: await worker(place), project: place.project };
});

describe.skipIf(withoutPostgres)('with PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  describeSharedHome('PostgreSQL and a home for each worker', async () => {
    const [first, second] = [makePlace(), makePlace()];
    const database = { url: await cluster.database() };
    return { a: await worker(first, database), b: await worker(second, database), project: first.project };
  });
});
