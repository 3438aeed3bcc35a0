import type { Runtime } from '../runtime/runtime.ts';
import { skillWorks } from '../runtime/evaluate/skill-works.ts';
import { turnKeeper } from '../runtime/turn/turn-keeper.ts';
import { OWNER } from './login/login-door.ts';
import type { People } from './people.ts';
import type { Tenant } from './tenant.ts';

/** What a server for one person is made of. */
export interface OnePersonParts {
  readonly runtime: Runtime;
  readonly roots: readonly string[];
  readonly dataFolder: string;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
  /** Turns at the same time that go on by themselves; none where it is 0. */
  readonly workers: number;
  readonly log: (line: string) => void;
}

/** Whoever has the token: an administrator, whose runtime belongs to whoever has started the server. */
export function onePerson({ runtime, roots, dataFolder, signal, workers, log }: OnePersonParts): People {
  const turns = turnKeeper(runtime, { onFault: (sessionId, error) => log(`session ${sessionId}: ${String(error)}`) });
  const works = skillWorks(runtime, { onFault: (id, error) => log(`${id}: ${String(error)}`) });
  const tenant: Tenant = { name: OWNER, role: 'admin', runtime, turns, skillWorks: works, roots, dataFolder, signal };
  return {
    withTenant: (_name, work) => work(tenant),
    async work(onBegun) {
      if (workers > 0) return runtime.work({ onHeld: onBegun, signal, parallel: workers, onTurn: turns.keep, onFault: (sessionId, error) => log(`session ${sessionId}: ${error.message}`) });
      onBegun();
      return untilAborted(signal);
    },
    reachable: async () => void (await runtime.sessions.list({ limit: 1 })),
    close: () => works.close(),
  };
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
