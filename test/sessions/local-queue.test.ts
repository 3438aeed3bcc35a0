import { sleep } from '../../src/host/local-clock.ts';
import { openOwnBackend } from '../../src/runtime/database/own-backend.ts';
import { memorySessions } from '../../src/testing/memory-sessions.ts';
import { describeTurnQueue } from './turn-queue-contract.ts';

describeTurnQueue('of one process, for a store of its own', 'many', async () => {
  const store = memorySessions();
  const { queue } = openOwnBackend({ store }, { now: Date.now, isAlive: () => true, sleep, instance: 'test' });
  return {
    open: async () => ({ queue, store }),
    dispose: async () => undefined,
  };
});
