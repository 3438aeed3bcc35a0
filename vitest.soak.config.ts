import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Of these `npm test` runs a sample. */
const SAMPLED = ['test/e2e/crash.test.ts', 'test/e2e/agents-crash.test.ts', 'test/e2e/waiting.test.ts', 'test/runtime/obedient-model.test.ts', 'test/server/fuzz.test.ts'];
const isShort = process.env['SOAK'] === 'short';

/** Long runs: kill points, fuzzing, load. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/soak/**/*.test.ts', ...(isShort ? [] : SAMPLED)], exclude: [], env: { WHOLE: '1' }, testTimeout: 1_200_000, hookTimeout: 300_000 },
});
