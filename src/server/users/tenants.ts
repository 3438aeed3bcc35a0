import fs from 'node:fs';
import path from 'node:path';
import { sleep } from '../../host/local-clock.ts';
import { currentProcess, mayBeAlive } from '../../host/process-identity.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { skillWorks } from '../../runtime/evaluate/skill-works.ts';
import { turnKeeper, type TurnKeeper } from '../../runtime/turn/turn-keeper.ts';
import { untilAborted } from '../one-person.ts';
import type { People } from '../people.ts';
import type { Role, Tenant } from '../tenant.ts';
import { openTenant, type TenantParts } from './open-tenant.ts';

/** How often it is looked who is idle, gone or has another role; ms. */
const LOOK_MS = 5_000;

/** What keeps the users' own things. */
export interface TenantsParts extends TenantParts {
  /** What a user is now; undefined for nobody. */
  readonly roleOf: (name: string) => Role | undefined;
  /** Names of all who have an account. */
  readonly names: () => readonly string[];
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
  /** Turns of one user at the same time that go on by themselves. */
  readonly workers: number;
  /** What is a user's own is closed after so long without use, ms. */
  readonly idleMs: number;
  readonly now: () => number;
}

interface Open {
  readonly tenant: Tenant;
  readonly turns: TurnKeeper;
  readonly stop: AbortController;
  /** Resolves when its turns are left. */
  readonly working: Promise<void>;
  /** Streams of events that somebody reads. */
  readonly followed: Set<AbortSignal>;
  inUse: number;
  usedAt: number;
}

/** Opens what belongs to each user with their first request, and closes it when it is idle, or they are no longer who they were. */
export function tenants(parts: TenantsParts): People {
  const { roleOf, names, signal, idleMs, now, log } = parts;
  const opened = new Map<string, Promise<Open>>();
  const closing = new Map<string, Promise<void>>();
  const close = (name: string, one: Open): Promise<void> => {
    opened.delete(name);
    const ended = end(one, { name, log }).finally(() => closing.delete(name));
    closing.set(name, ended);
    return ended;
  };
  const openOf = async (name: string): Promise<Open> => {
    const role = roleOf(name);
    if (signal.aborted) throw new SkillmintError('store_unavailable', 'The server is about to end. Ask again in a moment.');
    if (role === undefined) throw new SkillmintError('permission_denied', `${name} is no user of this server any more.`);
    const known = await opened.get(name);
    if (known?.tenant.role === role) return known;
    if (known && opened.has(name)) await close(name, known);
    await closing.get(name);
    const opening = opened.get(name) ?? open({ name, role }, parts);
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
    return opening;
  };
  const look = async (): Promise<void> => {
    for (const [name, opening] of opened) {
      const one = await opening;
      const isOther = roleOf(name) !== one.tenant.role;
      if (isOther || (isIdle(one) && now() - one.usedAt > idleMs && !(await hasRunning(one.tenant.runtime)) && isIdle(one))) await close(name, one);
    }
  };
  const lookOnce = slowly(look, log);
  const timer = setInterval(lookOnce, Math.min(LOOK_MS, idleMs));
  timer.unref();
  const people: People = {
    async withTenant(name, work) {
      const one = await openOf(name);
      one.inUse += 1;
      try {
        return await work(one.tenant);
      } finally {
        one.inUse -= 1;
        one.usedAt = now();
      }
    },
    async work(onBegun) {
      if (parts.database) return workForAll(parts, { onBegun, withTenant: async (name, work) => people.withTenant(name, work) });
      // Turns that were cut off belong to somebody who may not come back soon.
      for (const name of names().filter((each) => fs.existsSync(path.join(parts.dataFolder, 'users', each, 'skillmint.db')))) {
        await openOf(name).catch((error: unknown) => log(`user ${name}: ${String(error)}`));
      }
      onBegun();
      await untilAborted(signal);
    },
    // Without a database each user's data is opened when they come; nothing is shared that could be away.
    reachable: async () => parts.database?.reachable(),
    async close() {
      clearInterval(timer);
      await Promise.allSettled([...opened].map(async ([name, one]) => close(name, await one)));
      await Promise.all(closing.values());
    },
  };
  return people;
}

async function open({ name, role }: { readonly name: string; readonly role: Role }, parts: TenantsParts): Promise<Open> {
  const { log, workers, dataFolder, database } = parts;
  const { runtime: whole, roots } = await openTenant({ name, role }, parts);
  const stop = new AbortController();
  const followed = new Set<AbortSignal>();
  const runtime = watched(whole, followed);
  const onFault = (sessionId: string, error: unknown): void => log(`user ${name}, session ${sessionId}: ${error instanceof Error ? error.message : String(error)}`);
  const turns = turnKeeper(runtime, { onFault });
  const works = skillWorks(runtime, { onFault: (id, error) => log(`user ${name}, ${id}: ${String(error)}`) });
  const working = database ? Promise.resolve() : runtime.work({ signal: stop.signal, parallel: workers, onTurn: turns.keep, onFault }).catch((error: unknown) => log(`user ${name}: ${String(error)}`));
  return { tenant: { name, role, runtime, turns, skillWorks: works, roots, dataFolder, signal: stop.signal }, turns, stop, working, followed, inUse: 0, usedAt: parts.now() };
}

/** Where all share a database, what was left of anybody is found together, and only theirs is opened. */
async function workForAll({ database, signal, workers, log, now }: TenantsParts, { onBegun, withTenant }: { readonly onBegun: () => void; readonly withTenant: People['withTenant'] }): Promise<void> {
  await database?.workForAll({
    owner: { ...currentProcess(), instance: 'server', service: true },
    signal, now, sleep,
    parallel: workers,
    onHeld: onBegun,
    isAlive: mayBeAlive,
    async turn({ tenant: name, sessionId }, giveUp) {
      const onFault = (_id: string, error: unknown): void => {
        giveUp();
        log(`user ${name}, session ${sessionId}: ${messageOf(error)}`);
      };
      try {
        return await withTenant(name, ({ runtime, turns }) => runtime.workOn(sessionId, { signal, onTurn: turns.keep, onFault }));
      } catch (error) {
        if (!(error instanceof SkillmintError)) throw error;
        if (signal.aborted) return 'later';
        onFault(sessionId, error);
        return 'done';
      }
    },
  });
}

function isIdle({ inUse, turns, followed, tenant }: Open): boolean {
  return inUse === 0 && !turns.busy() && !tenant.skillWorks.busy() && followed.size === 0;
}

async function hasRunning({ sessions }: Runtime): Promise<boolean> {
  return (await sessions.list({ limit: 50, agents: true })).some(({ status }) => status === 'running');
}

async function end({ stop, working, tenant }: Open, { name, log }: { readonly name: string; readonly log: (line: string) => void }): Promise<void> {
  stop.abort();
  await tenant.skillWorks.close();
  await working;
  await tenant.runtime.close().catch((error: unknown) => log(`user ${name}: ${String(error)}`));
}

/** The same, which knows who follows its sessions. */
function watched(runtime: Runtime, followed: Set<AbortSignal>): Runtime {
  return {
    ...runtime,
    sessions: {
      ...runtime.sessions,
      follow(sessionId, { signal = new AbortController().signal, ...options } = {}) {
        followed.add(signal);
        signal.addEventListener('abort', () => followed.delete(signal), { once: true });
        return runtime.sessions.follow(sessionId, { ...options, signal });
      },
    },
  };
}

/** Does not begin again while it is at it. */
function slowly(work: () => Promise<void>, log: (line: string) => void): () => void {
  let busy = false;
  return () => {
    if (busy) return;
    busy = true;
    work().catch((error: unknown) => log(String(error))).finally(() => { busy = false; });
  };
}
