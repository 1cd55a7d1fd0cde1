import { configDefaults, defineConfig } from 'vitest/config';

/** They need a Chromium on the machine, and have a script of their own: `npm run test:browser`. */
const browser = process.env.npm_lifecycle_event === 'test:browser' ? [] : ['tests/browser/**'];

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: [...configDefaults.exclude, ...browser],
    pool: 'forks',
    testTimeout: 20_000,
  },
});
