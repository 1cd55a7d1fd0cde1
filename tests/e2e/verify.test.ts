// A run that is repeated: a job is trained with the built program, its worst rows are listed, and `svc verify` trains it
// again.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobSummary, RowLosses, RunManifest } from '../../lib/contract/index.js';
import { askProgram, type ProgramOptions, runProgram, startProgram, untilEnded } from '../support/program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = (steps: number) => `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({
  name: 'to repeat',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  maxSteps: ${steps},
  batchSize: 4,
  learningRate: 2e-3,
});
export const service = createService({ trainer });
`;

interface Verdict {
  verified: boolean;
  repeatedAs: string | null;
  exact: boolean;
  compared: number;
  differences: unknown[];
  sameAdapter: boolean | null;
  changed: { input: string }[];
  error: string | null;
}

let home: string;
let place: ProgramOptions;
let jobId: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-verify-'));
  const cwd = join(home, 'app');
  await mkdir(cwd);
  place = { cwd, env: { SVC_HOME: join(home, '.svc') } };
  await runProgram(['init'], place);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules', 'svc'));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), entry(12));
  await runProgram(['start'], place);
  const { jobs } = await askProgram<{ jobs: JobSummary[] }>(['jobs', 'list'], place);
  jobId = jobs[0]!.id;
});

afterAll(async () => {
  await untilEnded(startProgram(['cloud', 'stop'], place));
  await rm(home, { recursive: true, force: true });
});

const verify = (...args: string[]) => verifyJob(jobId, ...args);

async function verifyJob(
  id: string,
  ...args: string[]
): Promise<{ verdict: Verdict; exitCode: number | null }> {
  const { stdout, exitCode } = await startProgram(['verify', id, ...args, '--json'], place).ended;
  return { verdict: JSON.parse(stdout) as Verdict, exitCode };
}

// Each test goes on where the one before has ended.
describe('svc verify', { shuffle: false }, () => {
  describe('a job that is repeated', () => {
    it('has the same losses, bit for bit, and the same adapter', async () => {
      const { verdict, exitCode } = await verify();
      expect(verdict).toMatchObject({
        verified: true,
        exact: true,
        compared: 12,
        differences: [],
        sameAdapter: true,
        changed: [],
        error: null,
      });
      expect(exitCode).toBe(0);
    });

    it('can be compared at its first steps alone, and is then canceled', async () => {
      const { verdict, exitCode } = await verify('--steps', '3');
      expect(verdict).toMatchObject({ verified: true, compared: 3, sameAdapter: null });
      expect(exitCode).toBe(0);
      const wait = await startProgram(['jobs', 'wait', verdict.repeatedAs!], place).ended;
      expect(wait.stdout).toMatch(/cancelled|completed/);
    });

    it('fails if what it logged was something else', async () => {
      const file = join(home, '.svc', 'cloud', 'cloud.db');
      await runProgram(['cloud', 'stop'], place);
      const { default: Database } = await import('libsql');
      const db = new Database(file);
      db.prepare('UPDATE steps SET loss = 9.5 WHERE job_id = ? AND step = 2').run(jobId);
      db.close();
      await runProgram(['cloud', 'start'], place);
      const { verdict, exitCode } = await verify('--steps', '3');
      expect(verdict).toMatchObject({
        verified: false,
        differences: [{ step: 2, what: 'loss', before: 9.5 }],
      });
      expect(exitCode).toBe(1);
      const { stdout, exitCode: again } = await untilEnded(
        startProgram(['verify', jobId, '--steps', '3'], place),
      );
      expect(stdout).toContain('1 value of 3 logged steps differ');
      expect(again).toBe(1);
    });
  });

  describe('the record of a job', () => {
    it('is shown: its worst rows, and its manifest', async () => {
      const rows = await askProgram<RowLosses>(['jobs', 'rows', jobId, '--worst', '5'], place);
      expect(rows.rows).toHaveLength(5);
      const { stdout } = await runProgram(['jobs', 'rows', jobId, '--worst', '5'], place);
      for (const { text } of rows.rows) expect(stdout).toContain(`${text!.file}:${text!.number}`);
      expect(stdout).toMatch(/^Last +First +Change +Over time/);
      const { manifest } = await askProgram<{ manifest: RunManifest }>(['jobs', 'manifest', jobId], place);
      expect(manifest.run?.environments[0]).toMatchObject({
        node: process.versions.node,
        onnxruntime: expect.stringMatching(/^1\./),
      });
      const text = (await runProgram(['jobs', 'manifest', jobId], place)).stdout;
      expect(text).toContain(manifest.run!.data.training.digest);
    });

    it('refuses nonsense', async () => {
      const { exitCode, stderr } = await untilEnded(
        startProgram(['jobs', 'rows', jobId, '--worst', '0'], place),
      );
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('at least 1')]);
    });
  });

  it('a job that went on from another one is repeated from its adapter and rows, until those are gone', async () => {
    const more = ['maxSteps=4', 'keepOptimizer=true', 'replay=0.2'].flatMap(setting => ['--set', setting]);
    const { stdout } = await runProgram(['start', '--from', jobId, ...more], place);
    const short = jobId.slice(0, 8);
    const id = /^Queued "to repeat", job (\S+), from /m.exec(stdout)![1]!.replace(',', '');
    expect((await runProgram(['jobs', 'show', id], place)).stdout).toMatch(
      new RegExp(`^From +${short}, step 12, with its optimizer$`, 'm'),
    );
    expect((await runProgram(['jobs', 'show', id], place)).stdout).toMatch(/^Replayed rows +\d+$/m);
    const { manifest } = await askProgram<{ manifest: RunManifest }>(['jobs', 'manifest', id], place);
    expect(manifest.run!.data.replayed).toEqual([
      { digest: manifest.run!.data.training.digest, rows: expect.any(Number) },
    ]);
    expect((await verifyJob(id)).verdict).toMatchObject({
      ...{ verified: true, compared: 4, sameAdapter: true, changed: [] },
    });
    await runProgram(['jobs', 'delete', jobId, '--yes'], place);
    const { verdict, exitCode } = await verifyJob(id);
    expect(verdict).toMatchObject({ repeatedAs: null, error: `Job ${jobId} not found.` });
    expect(exitCode).toBe(1);
  });
});
