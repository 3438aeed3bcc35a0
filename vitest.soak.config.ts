import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Long runs: kill points, fuzzing, load. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/soak/**/*.test.ts'], exclude: [], testTimeout: 1_200_000 },
});
