import type { Reporter } from 'vitest/node';

/** Names each test that passed only when it was tried again. */
export const nameRetried: Reporter = {
  onTestCaseResult(test) {
    if (test.ok() && (test.diagnostic()?.retryCount ?? 0) > 0) process.stdout.write(`passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}\n`);
  },
};
