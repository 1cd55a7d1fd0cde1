import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.js';
import { PATIENCE_MS, TEST_TIMEOUT_MS } from './tests/support/patience.js';

/** Rooms whose tests compute and start nothing. One process takes one such file after the other: to start it costs more. */
const PURE = ['bundled-model/tests/**/*.test.ts', 'tests/{bench,client,console,contract}/**/*.test.ts'];
/** The same, in a process of their own: with a session of ONNX Runtime JavaScript's smallest numbers become 0. */
const ENGINE = ['tests/engine/{int8,generate,graph,model,text,weights}/**/*.test.ts'];

/** Rooms whose tests open servers and stores or call commands, and leave their process as it was. */
const SERVERS = ['tests/{cli,cloud,dashboard,http,sdk,sign-in,studio}/**/*.test.{ts,tsx}'];

/** What is published, installed and used to the end: `npm run test:package` runs them. */
const PACKAGE = ['tests/package/**/*.test.ts'];

/** `npm run check` runs them, and with it `npm test` before all others. */
const CHECKS = ['tests/{rooms,circles,exports}.test.ts'];

/** Need a Ray cluster: `npm run test:ray` runs them. */
const RAY = ['tests/ray/**'];

/** `--mode built`: the processes that tests start run from `dist`, which starts three times as fast as the sources. */
const builtPrograms: Plugin = {
  name: 'built-programs',
  transform(code, id) {
    if (!id.endsWith('/lib/system/programs.ts')) return undefined;
    const built = code.replace(/export const isSource = .*;/, 'export const isSource = false;');
    if (built === code)
      throw new Error('lib/system/programs.ts no longer has `isSource` on a line of its own');
    return built;
  },
};

export default defineConfig(({ mode }) => {
  // Of each project: what they extend is asked for again, without the mode.
  const plugins = mode === 'built' ? [builtPrograms] : [];
  return {
    test: {
      pool: 'forks',
      // Tests that start processes mostly wait for them.
      maxWorkers: availableParallelism() + 2,
      sequence: { sequencer: LongestFirst },
      testTimeout: TEST_TIMEOUT_MS,
      hookTimeout: TEST_TIMEOUT_MS,
      expect: { poll: { timeout: PATIENCE_MS } },
      projects: [
        {
          extends: true,
          plugins,
          test: {
            name: 'apart',
            include: ['tests/**/*.test.{ts,tsx}'],
            exclude: [
              ...PURE,
              ...SERVERS,
              ...ENGINE,
              ...PACKAGE,
              ...RAY,
              ...(mode === 'built' ? CHECKS : []),
            ],
          },
        },
        { extends: true, plugins, test: { name: 'together', include: PURE, isolate: false } },
        { extends: true, plugins, test: { name: 'servers', include: SERVERS, isolate: false } },
        { extends: true, plugins, test: { name: 'engine', include: ENGINE, isolate: false } },
        { extends: true, plugins, test: { name: 'package', include: PACKAGE } },
      ],
    },
  };
});
