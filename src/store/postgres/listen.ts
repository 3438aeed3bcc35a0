import os from 'node:os';
import type { Client } from 'pg';
import { databaseAddress } from './address.ts';

/** The name of the one connection that each process has as long as it works. */
export const PROCESS_NAME = 'skillmint-process';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** A connection that was cut without a word is noticed after so long. */
const LOOK_MS = 5_000;
const CONNECT_MS = 5_000;

/** How a channel is listened to. */
export interface ListenOptions {
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** It listens again after a while in which messages may have been lost. */
  readonly onBack: () => void;
}

/** One connection that waits for messages. */
export interface Listening {
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own, which PostgreSQL keeps for this process (a pooler that shares connections between
 * transactions loses messages). It is made anew whenever it breaks. Resolves once it listens; rejects when it cannot at first.
 */
export async function listen(url: string, { channel, onMessage, onBack }: ListenOptions): Promise<Listening> {
  const { default: pg } = await import('pg');
  databaseAddress(url);
  let closed = false;
  let current: Client | undefined;
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url, application_name: `${PROCESS_NAME} ${os.hostname()} ${process.pid}`, keepAlive: true, connectionTimeoutMillis: CONNECT_MS });
    let alive = true;
    const lose = (): void => {
      if (!alive) return;
      alive = false;
      if (current === client) current = undefined;
      client.end().catch(() => undefined);
      again();
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ payload = '' }) => onMessage(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      alive = false;
      client.end().catch(() => undefined);
      throw error;
    }
    pause = FIRST_PAUSE_MS;
    current = client;
    if (closed) await client.end();
  };

  const again = (): void => {
    // A connection that is cut while it is made says so twice.
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().then(onBack, again);
    }, pause);
    timer.unref();
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  };

  try {
    await connect();
  } catch (error) {
    closed = true;
    clearTimeout(timer);
    throw error;
  }
  const watch = setInterval(() => {
    const client = current;
    if (!client) return;
    const late = setTimeout(() => client.emit('end'), LOOK_MS / 2);
    client.query('SELECT 1').then(() => clearTimeout(late), () => clearTimeout(late));
  }, LOOK_MS);
  watch.unref();
  return {
    async close() {
      closed = true;
      clearInterval(watch);
      clearTimeout(timer);
      const client = current;
      current = undefined;
      await client?.end();
    },
  };
}
