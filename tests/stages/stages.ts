// What is run before a change lands, and what is run beside it by hand or at night. One line a stage.
import type { Stage } from './schedule.js';

export interface Command extends Stage {
  /** npm, or a program of the packages. */
  run: readonly [program: string, ...args: string[]];
}

const bin = (name: string, ...args: string[]) => [name, ...args] as const;
const npm = (name: string, ...args: string[]) => ['npm', 'run', name, '--', ...args] as const;
const tsx = (path: string, ...args: string[]) => bin('tsx', `tests/${path}.ts`, ...args);
const BUILT = { cores: 1, needs: ['tests'] };

/** What can be seen without running svc: `npm run check`. The longest first. */
export const CHECK: readonly Command[] = [
  // By itself, it checks with four threads, some types in each of them.
  { name: 'types', cores: 1, run: bin('tsc', '--checkers', '1') },
  { name: 'studio-types', cores: 1, run: bin('vue-tsc', '-p', 'studio-web') },
  {
    name: 'rooms',
    cores: 1,
    run: bin('depcruise', '--config', 'tests/house/rooms.mjs', 'cli', 'lib', 'studio-web', 'bundled-model'),
  },
  { name: 'unused', cores: 1, run: bin('knip') },
  { name: 'unused-but-by-tests', cores: 1, run: bin('knip', '--production', '--include', 'exports,types') },
  { name: 'lint', cores: 1, run: bin('biome', 'check', '--error-on-warnings') },
  // `tsc` takes types that the declarations of the package cannot name.
  { name: 'declarations', cores: 1, run: npm('build:types') },
];

/** The same, and what the tests need: `npm test` begins with it. */
export const PREPARE: readonly Command[] = [
  { name: 'build', cores: 1, run: npm('build:run') },
  // If it is missing, it comes over the network.
  { name: 'chromium', cores: 0, run: npm('chromium') },
  // The build begins with an empty `dist`.
  ...CHECK.map(stage => (stage.name === 'declarations' ? { ...stage, needs: ['build'] } : stage)),
];

/** The same for every change: `npm run ci`. */
export const CHANGE: readonly Command[] = [
  // Its packages come over the network while the tests run.
  { name: 'ray-environment', cores: 0, run: tsx('ray/run', 'install') },
  { name: 'tests', cores: 2, run: npm('test') },
  { name: 'ray', cores: 1, needs: ['tests', 'ray-environment'], run: tsx('ray/run', 'short') },
  { name: 'ray-python', cores: 1, needs: ['tests', 'ray-environment'], run: tsx('ray/run', 'python') },
  // The longest first: what begins last leaves a core idle.
  { name: 'package', ...BUILT, run: npm('test:package') },
  { name: 'real', ...BUILT, run: tsx('real/run', 'short') },
  { name: 'kill-loop-disk', ...BUILT, run: tsx('endurance/kill-loop', '--rounds', '20', '--disk') },
  { name: 'kill-loop-locks', ...BUILT, run: tsx('endurance/kill-loop', '--rounds', '20', '--locks') },
  { name: 'promptfoo', ...BUILT, run: tsx('promptfoo/run') },
  { name: 'structured-answers', ...BUILT, run: tsx('endurance/structured-answers') },
  { name: 'privacy', ...BUILT, run: tsx('privacy/run') },
  { name: 'kill-loop', ...BUILT, run: tsx('endurance/kill-loop', '--rounds', '20') },
  // On SwiftShader, where Chromium has brought it.
  { name: 'gpu', ...BUILT, run: tsx('gpu/run', '--if-there', 'probe') },
  { name: 'fuzz', ...BUILT, run: tsx('fuzz/run', '--seed', '1', '--requests', '2000') },
  { name: 'kill-batch', ...BUILT, run: tsx('endurance/kill-batch', '--requests', '200', '--kills', '1') },
];

/** By hand or at night, in hours: `npm run verify`. */
export const VERIFY: readonly Command[] = [
  { name: 'tests', cores: 2, run: npm('test') },
  ...CHANGE.filter(({ name }) => ['package', 'promptfoo', 'privacy'].includes(name)),
  { name: 'structured-answers', ...BUILT, run: tsx('endurance/structured-answers', '5000') },
  { name: 'fuzz', ...BUILT, run: tsx('fuzz/run', '--requests', '20000', '--minutes', '20') },
  { name: 'kill-loop', ...BUILT, run: tsx('endurance/kill-loop') },
  { name: 'kill-loop-locks', ...BUILT, run: tsx('endurance/kill-loop', '--rounds', '60', '--locks') },
  { name: 'kill-loop-disk', ...BUILT, run: tsx('endurance/kill-loop', '--rounds', '60', '--disk') },
  { name: 'clients', ...BUILT, run: tsx('clients/run') },
  { name: 'kill-batch', ...BUILT, run: tsx('endurance/kill-batch') },
  { name: 'real', cores: 2, needs: ['tests'], run: tsx('real/run') },
  { name: 'gpu', ...BUILT, run: tsx('gpu/run') },
  { name: 'gpu-f16', ...BUILT, run: tsx('gpu/run', '--if-there', '--lavapipe', 'half-weights') },
  { name: 'soak', cores: 2, needs: ['tests'], run: tsx('endurance/soak', '--minutes', '10') },
  { name: 'ray', cores: 2, needs: ['tests'], run: tsx('ray/run') },
  ...['raylet', 'task', 'head', 'cloud', 'network'].map(what => ({
    ...{ name: `kill-loop-ray-${what}`, cores: 2, needs: ['ray'] },
    run: tsx('ray/kill-loop', '--rounds', '20', '--what', what),
  })),
  { name: 'hard', cores: 2, needs: ['tests'], run: tsx('hard/run', '--seeds', '5') },
];
