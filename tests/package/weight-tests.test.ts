// Tests for weights in a project of their own: with its vitest, from an empty home, of the base model and of a job that trains.
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobSummary } from '../../lib/contract/index.js';
import { type ProgramOptions, runProgram, startProgram, untilEnded } from '../support/program.js';
import { openProjectClient } from '../support/project-client.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const home = temporaryFolder('svc-weight-tests');
const cwd = join(home, 'app');
const place: ProgramOptions = { cwd, env: { SVC_HOME: join(home, '.svc'), NO_COLOR: '1' } };

const ENTRY = `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({
  name: 'watched',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  maxSteps: 12,
  saveSteps: 4,
  batchSize: 4,
});
export const service = createService({ trainer });
`;

const GREETS = `  it('greets', async () => {
    await expect(ask('Hello!')).toMatchAnswerSnapshot();
  });
`;
const TESTS = `import { expect, it } from 'vitest';
import { describeModel } from 'svc/vitest';
describeModel('tiny', { base: true }, ({ ask }) => {
${GREETS}  it('files a bug', async () => {
    await expect(ask('The app crashes when I log in.')).not.toAnswer('bug?');
  });
});
`;

/** It prints nothing until all tests have ended. */
const test = (...args: string[]) => startProgram(['test', ...args], place).ended;

beforeAll(async () => {
  await mkdir(cwd);
  await runProgram(['init'], place);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules', 'svc'));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), ENTRY);
});

afterAll(() => untilEnded(startProgram(['cloud', 'stop'], place)));

describe('svc test', () => {
  it('says what is missing: tests, then vitest', async () => {
    const none = await test();
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('has no tests for weights')]);
    await writeFile(join(cwd, 'tiny.weights.test.ts'), TESTS);
    const missing = await test();
    expect(missing.exitCode).toBe(1);
    expect(missing.stderr).toContain('npm install --save-dev vitest@latest');
    await symlink(join(root, 'node_modules', 'vitest'), join(cwd, 'node_modules', 'vitest'));
  });

  it('starts what it needs, and keeps answers that the next run, and plain vitest, hold the model to', async () => {
    const first = await test('--junit', 'report.xml');
    expect(first.exitCode, first.stdout + first.stderr).toBe(0);
    const snapshots = join(cwd, '__snapshots__', 'tiny.weights.test.ts.snap');
    const kept = await readFile(snapshots, 'utf8');
    expect(kept).toContain('user: Hello!\nanswer: ');
    expect(await readFile(join(cwd, 'report.xml'), 'utf8')).toContain('tests="2" failures="0"');

    const vitest = join(cwd, 'node_modules', 'vitest', 'vitest.mjs');
    const env = { ...place.env, PATH: process.env.PATH, HOME: cwd };
    await promisify(execFile)(process.execPath, [vitest, 'run'], { cwd, env });

    await writeFile(snapshots, kept.replace(/answer: .*/, 'answer: Another one.'));
    const changed = await test('--json');
    expect(changed.exitCode).toBe(1);
    const report = JSON.parse(changed.stdout);
    expect(report).toMatchObject({ numPassedTests: 1, numFailedTests: 1, snapshot: { unmatched: 1 } });
    expect((await test('-u')).exitCode).toBe(0);
    expect(await readFile(snapshots, 'utf8')).toBe(kept);
  });

  it('asks the model that it is told, and names it where a test fails', async () => {
    await writeFile(
      join(cwd, 'tiny.weights.test.ts'),
      TESTS.replace('not.toAnswer', 'toAnswer').replace('.toMatchAnswerSnapshot()', '.not.toAnswer("x")'),
    );
    const failed = await test('--base');
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain('Testing Base model: ');
    expect(failed.stdout + failed.stderr).toMatch(/asked +The app crashes when I log in\./);
    const unknown = await test('--job', 'latest');
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      1,
      'svc: No job of this project has completed with an adapter yet.\n',
    ]);
    expect((await test('--step', '4')).exitCode).toBe(2);
    await writeFile(
      join(cwd, 'tiny.weights.test.ts'),
      TESTS.replace('{ base: true }', "{ endpoint: 'tyni' }"),
    );
    const mistyped = await test('--json');
    expect([mistyped.exitCode, mistyped.stderr]).toEqual([1, expect.stringContaining('"tyni"')]);
  });

  it('watches a job: tests each adapter that is the newest, and ends with the job', async () => {
    await writeFile(join(cwd, 'tiny.weights.test.ts'), TESTS.replace(GREETS, ''));
    const training = startProgram(['start'], place);
    let job: JobSummary | undefined;
    await until(async () => {
      [job] = (await (await openProjectClient(place)).listJobs()).jobs;
      return job;
    }).toBeDefined();
    const watched = await test('--watch', '--job', job!.id);
    expect(watched.exitCode, watched.stdout + watched.stderr).toBe(0);
    expect(watched.stderr).toContain(`Testing Final adapter (job ${job!.id.slice(0, 8)}).`);
    expect((await untilEnded(training)).exitCode).toBe(0);
  });

  it('keeps an adapter that fails them from being shipped', async () => {
    const tests = join(cwd, 'tiny.weights.test.ts');
    const ship = async () => {
      const words = ['ship', 'tiny', '--job', 'latest', '--on', 'data/train.jsonl', '--no-general', '--json'];
      const { exitCode, stdout, stderr } = await startProgram(words, place).ended;
      expect(stdout, stderr).toMatch(/^\{/);
      const { shipped, evaluation } = JSON.parse(stdout);
      return { exitCode, shipped, tests: evaluation.gate.checks[0].outcome, stderr };
    };
    // Tests for weights are found wherever they are, as `svc test` finds them.
    await writeFile(join(cwd, 'vitest.config.ts'), "export default { test: { include: ['other/**'] } };\n");
    await writeFile(tests, TESTS.replace(GREETS, '').replace('not.toAnswer', 'toAnswer'));
    const failed = await ship();
    expect(failed).toMatchObject({ exitCode: 1, shipped: null, tests: 'failed' });
    expect(failed.stderr).toMatch(/asked +The app crashes when I log in\./);
    await writeFile(tests, TESTS.replace(GREETS, ''));
    expect(await ship()).toMatchObject({ exitCode: 0, shipped: 'all', tests: 'passed' });
  });
});
