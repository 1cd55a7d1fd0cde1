// The tests that need a Ray cluster. `npm run test:ray` runs them; `npm test` does not, since they need Python.
import { defineConfig } from 'vitest/config';
import { builtPrograms } from '../support/built-programs.js';

/** A cluster starts Python for each thing that it does, beside all else: for one thing to happen, ten times as long. */
const PATIENCE = 10;
const TEST_MS = 600_000;

export default defineConfig({
  // The package for a cluster is made of `dist`, too.
  plugins: [builtPrograms],
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
    env: { SVC_TEST_PATIENCE: String(PATIENCE) },
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
  },
});
