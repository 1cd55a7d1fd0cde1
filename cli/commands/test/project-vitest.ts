// The project's own vitest, in this process: it reads the project's configuration and prints its own report.

import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Vitest } from 'vitest/node';
import { TARGET_VARIABLE } from '../../../lib/vitest/override.js';
import { CommandError, type ExitCode, exitCode, type Io } from '../../command.js';
import { printLine } from '../../print.js';

type VitestNode = typeof import('vitest/node');

/** What `svc/vitest` is tested with. */
const OLDEST = [4, 1] as const;
const INSTALL = 'npm install --save-dev vitest@latest';

export interface VitestOptions {
  folder: string;
  /** Parts of the paths of tests. */
  filters: readonly string[];
  io: Pick<Io, 'stdout' | 'stderr' | 'stdin' | 'env'>;
  /** The word for the model that all tests ask; null for those that they name. */
  target: string | null;
  watch?: boolean;
  /** Default: those of the project. */
  reporters?: readonly string[];
  junit?: string | undefined;
  update?: boolean;
}

export interface TestSession {
  /** Runs the tests, of another model if one is given. False if any failed. */
  run(target?: string): Promise<boolean>;
  /** Whether all passed when they ran last, also those that a key or a changed file ran; or that Ctrl-C ended it. */
  exitCode(): ExitCode;
  /** Resolves when it was closed, by a key or by `close`. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export async function openVitest(options: VitestOptions): Promise<TestSession> {
  const { folder, filters, io, watch = false } = options;
  const node = await loadVitest(folder);
  const streams = io as unknown as {
    stdout: NodeJS.WriteStream;
    stderr: NodeJS.WriteStream;
    stdin?: NodeJS.ReadStream;
  };
  // As vitest's own command line does.
  process.env.NODE_ENV ??= 'test';
  process.env.VITEST = process.env.TEST = 'true';
  const restore = setTarget(options.target);
  const vitest = await node.createVitest('test', toCliOptions(options), {}, streams);
  const forgetKeys =
    watch && streams.stdin?.isTTY
      ? node.registerConsoleShortcuts(vitest, streams.stdin, streams.stdout)
      : undefined;
  let markClosed = () => {};
  const closed = new Promise<void>(resolve => {
    markClosed = resolve;
  });
  vitest.onClose(() => {
    // A key that closes it ends the process with this code, which vitest never takes back after a failure.
    if (watch) process.exitCode = codeOf(vitest);
    markClosed();
  });
  let hasStarted = false;

  return {
    async run(target) {
      if (target !== undefined) setTarget(target);
      if (!hasStarted) {
        hasStarted = true;
        await vitest.start([...filters]);
        if (options.reporters?.includes('json')) sayWhatIsLeftOut(vitest, io);
        return isPassed(vitest);
      }
      const specifications = await vitest.globTestSpecifications([...filters]);
      await vitest.rerunTestSpecifications(specifications, true);
      return isPassed(vitest);
    },
    exitCode: () => codeOf(vitest),
    closed,
    async close() {
      forgetKeys?.();
      await vitest.close();
      restore();
    },
  };
}

/** vitest's JSON has no errors of blocks, such as that there is no such model. */
function sayWhatIsLeftOut({ state }: Vitest, { stderr, env }: VitestOptions['io']): void {
  const errors = state
    .getTestModules()
    .flatMap(({ children }) => [...children.allSuites()].flatMap(suite => suite.errors()));
  for (const message of new Set(errors.map(error => error.message))) printLine(stderr, message, env);
}

function isPassed({ state }: Vitest): boolean {
  const modules = state.getTestModules();
  return (
    modules.length > 0 && modules.every(module => module.ok()) && state.getUnhandledErrors().length === 0
  );
}

/** In watch mode, vitest reads Ctrl-C as a key, and then forgets the code that it had set for it if tests ran. */
function codeOf(vitest: Vitest & { isCancelling?: boolean }): ExitCode {
  if (vitest.isCancelling) return exitCode.interrupted;
  return isPassed(vitest) ? exitCode.ok : exitCode.failure;
}

function toCliOptions(options: VitestOptions) {
  const { folder, filters, watch = false, reporters = [], junit, update = false, io } = options;
  const usual = io.env.GITHUB_ACTIONS === 'true' ? ['default', 'github-actions'] : ['default'];
  const chosen =
    junit === undefined ? [...reporters] : [...(reporters.length > 0 ? reporters : usual), 'junit'];
  return {
    root: folder,
    watch,
    run: !watch,
    clearScreen: false,
    // In watch mode, a filter ends with the first key that runs all tests.
    ...(filters.every(filter => filter === WEIGHT_TESTS) && { include: [WEIGHT_TESTS_GLOB] }),
    ...(update && { update }),
    ...(chosen.length > 0 && { reporters: chosen }),
    ...(junit !== undefined && { outputFile: { junit } }),
  };
}

/** Processes of tests inherit it. Returns what undoes it. */
function setTarget(target: string | null): () => void {
  const before = process.env[TARGET_VARIABLE];
  if (target !== null) process.env[TARGET_VARIABLE] = target;
  return () => {
    if (before === undefined) delete process.env[TARGET_VARIABLE];
    else process.env[TARGET_VARIABLE] = before;
  };
}

async function loadVitest(folder: string): Promise<VitestNode> {
  let path: string;
  try {
    path = createRequire(join(folder, 'package.json')).resolve('vitest/node');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    throw new CommandError(
      `This project has no vitest, which runs tests for weights. Install it:\n  ${INSTALL}`,
    );
  }
  const node = (await import(pathToFileURL(path).href)) as VitestNode;
  const [major = 0, minor = 0] = node.version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return node;
  throw new CommandError(
    `This project has vitest ${node.version}; svc/vitest needs ${OLDEST.join('.')} or newer. Update it:\n  ${INSTALL}`,
  );
}

/** In a path, it names a file of tests for weights: vitest filters by parts of paths. */
export const WEIGHT_TESTS = '.weights.test.';

const WEIGHT_TESTS_GLOB = '**/*.weights.test.?(c|m)[jt]s?(x)';

const NAME = /\.weights\.test\.[cm]?[jt]sx?$/;
const DEEPEST = 12;

/** The paths of a project's tests for weights, relative to its folder. Packages and hidden folders have none. */
export async function findWeightTests(folder: string, under = '', depth = 0): Promise<string[]> {
  const entries = await readdir(join(folder, under), { withFileTypes: true }).catch(error => {
    // What svc may not read, or what has just been deleted, has no tests to run.
    if (under !== '') return [];
    throw error;
  });
  const found = entries.map(async entry => {
    const path = join(under, entry.name);
    if (entry.isFile()) return NAME.test(entry.name) ? [path] : [];
    const isOther = !entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.');
    return isOther || depth >= DEEPEST ? [] : findWeightTests(folder, path, depth + 1);
  });
  return (await Promise.all(found)).flat().sort();
}

interface RunOptions extends Omit<VitestOptions, 'watch'> {
  signal?: AbortSignal | undefined;
}

/** False if a test failed. Throws the signal's reason if it was interrupted. */
export async function runWeightTests({ signal, ...options }: RunOptions): Promise<boolean> {
  const tests = await openVitest(options);
  const stop = () => void tests.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    const isPassed = await tests.run();
    signal?.throwIfAborted();
    return isPassed;
  } finally {
    signal?.removeEventListener('abort', stop);
    await tests.close();
  }
}
