// The tests that need a Ray cluster. `npm run test:ray` runs them; `npm test` does not, since they need Python.
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_TIMEOUT_MS } from '../support/patience.js';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: './support/shared-cluster.ts',
    pool: 'forks',
    tags: [
      {
        name: 'long',
        description: 'Not before every change: `npm run test:ray` and `npm run verify` run them.',
      },
    ],
    // All share one cluster, and need its CPUs.
    fileParallelism: false,
    testTimeout: 2 * TEST_TIMEOUT_MS,
    hookTimeout: 2 * TEST_TIMEOUT_MS,
    expect: { poll: { timeout: 2 * PATIENCE_MS } },
  },
});
