// How the tests of one room run while a mutant is active: in one process, those that find most first, with short limits,
// for many a mutant makes a test wait for ever.
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TESTS_WITH_PROCESSES } from './rooms.js';
import { readTests } from './settings.js';

const LIMIT_MS = 30_000;

const folders = readTests().map(name => `tests/${name}/`);

class MostTellingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => folders.findIndex(folder => moduleId.includes(folder));
    return files.sort((a, b) => place(a) - place(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/** Stryker's runner asks for threads, where a test cannot change its folder or signals. */
const inProcesses: Plugin = {
  name: 'in-processes',
  configureVitest({ vitest, project }) {
    vitest.config.pool = 'forks';
    project.config.pool = 'forks';
  },
};

export default defineConfig({
  cacheDir: '.vite',
  plugins: [inProcesses],
  test: {
    include: folders.map(folder => `${folder}**/*.test.{ts,tsx}`),
    exclude: TESTS_WITH_PROCESSES,
    isolate: false,
    sequence: { sequencer: MostTellingFirst },
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    teardownTimeout: LIMIT_MS,
    expect: { poll: { timeout: LIMIT_MS } },
  },
});
