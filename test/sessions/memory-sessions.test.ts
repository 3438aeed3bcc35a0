import { memorySessions, sessionMemory } from '../../src/testing/memory-sessions.ts';
import { describeSessionStore } from './session-store-contract.ts';

describeSessionStore('memory', async () => {
  const memory = sessionMemory();
  return {
    open: async (checks) => memorySessions({ memory, ...checks }),
    dispose: async () => undefined,
  };
});
