import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/store/postgres/listen.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';

/** A proxy before the database, which can cut connections at the moment in which they begin to listen. */
async function startProxy(target: string): Promise<{ readonly url: string; readonly state: { cuts: boolean; readonly open: Set<net.Socket> } }> {
  const address = new URL(target);
  const port = Number(address.port);
  const state = { cuts: false, open: new Set<net.Socket>() };
  const server = net.createServer((client) => {
    const up = net.connect(port, '127.0.0.1');
    state.open.add(client);
    client.on('close', () => {
      state.open.delete(client);
      up.destroy();
    });
    up.on('close', () => client.destroy());
    for (const socket of [client, up]) socket.on('error', () => socket.destroy());
    client.on('data', (data) => (state.cuts && data.includes('LISTEN') ? client.destroy() : up.write(data)));
    up.on('data', (data) => client.write(data));
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => {
    for (const socket of state.open) socket.destroy();
    server.close();
  });
  const at = server.address();
  address.port = String(typeof at === 'object' ? at?.port : '');
  return { url: address.href, state };
}

describe.skipIf(withoutPostgres)('listening', { timeout: 60_000 }, () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  it('stays one connection, however often it is cut while it is made, and none once it is closed', async () => {
    const direct = await cluster.database();
    const { url, state } = await startProxy(direct);
    const heard: string[] = [];
    let back = 0;
    const listening = await listen(url, { channel: 'x', onMessage: (message) => void heard.push(message), onBack: () => { back += 1; } });
    state.cuts = true;
    for (const socket of state.open) socket.destroy();
    await sleep(2_000);
    state.cuts = false;
    await expect.poll(() => back, { timeout: 10_000 }).toBe(1);
    await sleep(1_000);
    expect(state.open.size).toBe(1);
    const db = await openPostgres(direct);
    onTestFinished(() => db.close());
    await db.query("SELECT pg_notify('x', 'hello')");
    await expect.poll(() => heard).toEqual(['hello']);
    await listening.close();
    await expect.poll(() => state.open.size).toBe(0);
  });

  it('a database that was closed says so, and lets end what runs', async () => {
    const db = await openPostgres(await cluster.database());
    let closing: Promise<void> | undefined;
    const running = db.transaction(async ({ query }) => {
      await query('SELECT 1');
      closing = db.close();
      await sleep(50);
      return (await query('SELECT 2 AS two')).rows;
    });
    await expect(running).resolves.toEqual([{ two: 2 }]);
    await closing;
    await expect(db.query('SELECT 1')).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('was closed') });
  });
});
