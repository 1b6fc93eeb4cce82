import { defineConfig } from 'vitest/config';
import { reporters } from './src/build/vitest-results.mjs';

/** The tests that need no editor. The click-through tests have their own: test/e2e/vitest.config.ts. */
export default defineConfig({
  test: {
    include: ['test/{unit,contract,golden,attacks}/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    reporters: reporters(),
  },
});
