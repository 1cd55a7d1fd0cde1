import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { correctInk } from './ink-corrections.mjs';
import { builtPrograms } from './tests/support/built-programs.js';
import { FailuresAtOnce } from './tests/support/failures-at-once.js';
import { lowerPriority } from './tests/support/low-priority.js';
import { Order } from './tests/support/order.js';
import { JOURNEY_TIMEOUT_MS, PATIENCE_MS, TEST_TIMEOUT_MS } from './tests/support/patience.js';
import { quickFolder } from './tests/support/quick-folder.js';
import { SlowestFiles } from './tests/support/slowest-files.js';

lowerPriority();

/** SwiftShader takes minutes for what a GPU does in seconds. */
const GPU_TIMEOUT_MS = 30 * 60_000;

type Lane = TestProjectInlineConfiguration['test'];

// The lanes, one or two projects each. CONTRIBUTING.md has a page on each.

/** Compute and start nothing. One process takes one file after the other: to start it costs more. */
const PURE = [
  'bundled-model/tests/**/*.test.ts',
  'tests/{bench,client,clock,console,contract,endurance,evaluation,grading,mutants,stages,task}/**/*.test.ts',
];
/** The same, in a process of their own: with a session of ONNX Runtime JavaScript's smallest numbers become 0. */
const PURE_ONNX = ['tests/engine/{int8,generate,graph,model,text,weights}/**/*.test.ts'];

/** Stories with real processes, terminals and adapters. */
const JOURNEYS = ['tests/{e2e,terminal}/**/*.test.ts'];

/** Studio in a real browser. */
const BROWSER = ['tests/{browser,browser-real}/**/*.test.ts'];

/** Replace modules of Node or ONNX Runtime, which all that runs in their process would see. */
const MOCKS = [
  'tests/engine/{process/worker-process,tasks/{probe-task,train-on-device},train/provider-check,train/device/largest-buffer}.test.ts',
  'tests/engine/answers-on-device.test.ts',
];

/** What is published, installed and used to the end: `npm run test:package` runs them. */
const PACKAGE = ['tests/package/**/*.test.ts'];

/** Need a GPU, or one in software: `npm run test:gpu` runs them. */
const GPU = ['tests/gpu/**/*.test.ts'];

/** Need a Ray cluster: `npm run test:ray` runs them. */
const RAY = ['tests/ray/**'];

/** As the build has it: to draw costs half as much. Its maps name sources that its packages lack, of which Vite would warn. */
const correctedInk: Plugin = {
  name: 'corrected-ink',
  load: async id =>
    /\/node_modules\/ink(-text-input)?\/build\/.+\.js$/.test(id)
      ? correctInk(id, await readFile(id, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, '')
      : undefined,
};

/** Once loaded on a CI machine, Ink draws nothing until the end. */
delete process.env.CI;
/** React as users have it: its development build takes a quarter longer. */
process.env.NODE_ENV = 'production';

export default defineConfig(({ mode }) => {
  // Of each project: what they extend is asked for again, without the mode.
  const plugins = mode === 'built' ? [correctedInk, builtPrograms] : [correctedInk];
  const lane = (name: string, include: string[], more: Lane = {}) => ({
    extends: true as const,
    plugins,
    test: { name, include, ...more },
  });
  const patient = { testTimeout: JOURNEY_TIMEOUT_MS, hookTimeout: JOURNEY_TIMEOUT_MS };
  const elsewhere = [PURE, PURE_ONNX, MOCKS, JOURNEYS, BROWSER, PACKAGE, GPU, RAY];
  return {
    test: {
      pool: 'forks',
      // What was compiled is kept in node_modules: a second run takes it from there, and a project what another has compiled.
      experimental: { fsModuleCache: true },
      // One more than cores: almost half of the time, tests wait for processes.
      maxWorkers: Number(process.env.SVC_TEST_WORKERS ?? availableParallelism() + 1),
      reporters: ['default', new FailuresAtOnce(), new SlowestFiles()],
      // Also of the processes that tests start. Several share each core: threads of a model would wait for each other busily.
      env: { TMPDIR: quickFolder, SVC_THREADS: '1' },
      sequence: { sequencer: Order },
      server: { deps: { inline: [/\/node_modules\/ink(-text-input)?\//] } },
      testTimeout: TEST_TIMEOUT_MS,
      hookTimeout: TEST_TIMEOUT_MS,
      expect: { poll: { timeout: PATIENCE_MS } },
      projects: [
        lane('pure', PURE, { isolate: false }),
        lane('pure-onnx', PURE_ONNX, { isolate: false }),
        // All others: they open servers and stores, call commands, train, and leave their process as it was.
        lane('parts', ['tests/**/*.test.{ts,tsx}'], { exclude: elsewhere.flat(), isolate: false }),
        lane('parts-alone', MOCKS),
        lane('journeys', JOURNEYS, patient),
        lane('browser', BROWSER, patient),
        // Not among those of `npm test`.
        // Programs in projects of their own: one test installs, starts many of them, trains, and asks.
        lane('apart-package', PACKAGE, {
          testTimeout: 4 * JOURNEY_TIMEOUT_MS,
          hookTimeout: 4 * JOURNEY_TIMEOUT_MS,
        }),
        lane('apart-gpu', GPU, { testTimeout: GPU_TIMEOUT_MS }),
      ],
    },
  };
});
