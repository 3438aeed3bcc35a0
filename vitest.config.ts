import { defineConfig } from 'vitest/config';
import { markdownText } from './scripts/lib/markdown-text.mjs';
import { nameRetried } from './test/name-retried.ts';

export default defineConfig({
  plugins: [markdownText()],
  define: { __VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/soak/**'],
    pool: 'forks',
    // Most of the time a test waits for the programs that it runs.
    maxWorkers: '100%',
    // Where nobody can look (CI), a test that failed may try again, and the report says so; on a person's machine none does.
    retry: Number(process.env['TEST_RETRIES'] ?? 0),
    reporters: ['default', nameRetried],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
  },
});
