import type { Reporter } from 'vitest/node';

/** Names each test that passed only when it was tried again, and why it did not at first. */
export const nameRetried: Reporter = {
  onTestCaseResult(test) {
    if (!test.ok() || (test.diagnostic()?.retryCount ?? 0) === 0) return;
    const [first] = test.result().errors ?? [];
    process.stdout.write(`passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}\n${first?.stack ?? first?.message ?? ''}\n${first?.diff ?? ''}\n`);
  },
};
