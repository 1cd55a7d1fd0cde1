// `npm run test:hard [-- --seeds 3 --from 1] [FILE…]`: all tests where they have it hard. A busy loop on each core, a loop
// that syncs to the disk, answers late by up to 200 ms at random, files and tests in random order. The seed repeats the
// draws. Ends with 1 when a test failed; each seed's output is kept.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lowerPriority } from '../support/low-priority.js';

lowerPriority();

const root = join(import.meta.dirname, '../..');
const LATE_MS = 200;
/** What is waited for comes later here, and is waited for longer. */
const PATIENCE = 4;
/** Where answers are late, tests wait most of the time. */
const WORKERS = 2 * availableParallelism() + 1;

const { values, positionals: files } = parseArgs({
  options: { seeds: { type: 'string', default: '1' }, from: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const logs = mkdtempSync(join(tmpdir(), 'svc-hard-logs-'));
const disturb = join(import.meta.dirname, 'disturb.mjs');
const disturbances = [...Array.from({ length: availableParallelism() }, () => 'spin'), 'sync'].map(how =>
  spawn(process.execPath, [disturb, how], { stdio: 'ignore' }),
);
let tests: ChildProcess | undefined;
process.once('exit', () => {
  for (const each of [...disturbances, tests]) each?.kill();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const failed: number[] = [];
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed++) {
  const log = join(logs, `seed-${seed}.log`);
  const start = performance.now();
  const passed = await runTests(seed, log);
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  console.log(
    `seed ${seed}: ${passed ? 'passed' : 'FAILED'} in ${Math.round((performance.now() - start) / 1000)} s (${log})`,
  );
  if (!passed) {
    failed.push(seed);
    console.log(lines.filter(line => line.includes(' FAIL ')).join('\n'));
  }
}
console.log(failed.length === 0 ? 'No seed failed.' : `Seeds that failed: ${failed.join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);

function runTests(seed: number, log: string): Promise<boolean> {
  const output = openSync(log, 'w');
  const shuffled = ['--sequence.shuffle', `--sequence.seed=${seed}`];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--mode', 'built', '--project', '!apart-*', ...shuffled, ...files],
    {
      cwd: root,
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${new URL('late-answers.mjs', import.meta.url)}`,
        SVC_TEST_LATE_MS: String(LATE_MS),
        SVC_TEST_SEED: String(seed),
        SVC_TEST_PATIENCE: String(PATIENCE),
        SVC_TEST_WORKERS: String(WORKERS),
      },
    },
  );
  tests = child;
  return new Promise(resolve => child.once('close', code => resolve(code === 0)));
}
