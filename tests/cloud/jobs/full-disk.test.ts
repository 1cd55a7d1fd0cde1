// A real trainer on a small disk that fills up and is freed. Mounting it requires root on Linux.
import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLocalRunner } from '../../../lib/cloud/jobs/local-runner.js';
import type { Job, JobEvent } from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

const STEPS = 30;
const DISK_BYTES = 8 * 1024 ** 2;

let modelFolder: string;
let cloud: TestJobs | undefined;
let disk: string | undefined;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterEach(async () => {
  await cloud?.jobs.close(0);
  if (disk === undefined) await cloud?.close();
  else execFileSync('umount', ['--lazy', disk]);
  if (disk !== undefined) await rm(disk, { recursive: true });
  [cloud, disk] = [undefined, undefined];
});
afterAll(() => rm(modelFolder, { recursive: true }));

async function train(folder?: string): Promise<[TestJobs, string]> {
  const opened = await openTestJobs(createLocalRunner(), { modelFolder, ...(folder && { folder }) });
  cloud = opened;
  await opened.jobs.start();
  const datasetId = await opened.upload('{"text":"a b c"}\n'.repeat(20));
  const datasetSource = { type: 'upload', datasetId } as const;
  const { id } = await opened.create({
    datasetSource,
    maxSteps: STEPS,
    saveSteps: 5,
    loraR: 4,
    batchSize: 4,
  });
  return [opened, id];
}

const steps = (events: readonly JobEvent[]) =>
  events.flatMap(event => (event.type === 'training.log' ? [event.step] : []));
const allSteps = Array.from({ length: STEPS }, (_, i) => i + 1);

async function expectWhole(jobs: TestJobs, id: string): Promise<void> {
  expect((await jobs.until(id, 'completed')).artifactCount).toBeGreaterThan(1);
  const events = await jobs.events(id);
  expect(steps(events)).toEqual(allSteps);
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['training.completed', 'end']);
}

const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && canMount();

it.skipIf(!mayMount)('completes training on a disk that filled up, once space is freed', async () => {
  disk = await mkdtemp(join(tmpdir(), 'svc-disk-'));
  mount(disk);
  const [jobs, id] = await train(disk);
  const ballast = join(disk, 'ballast');
  fill(ballast);
  const ask = async () => (await jobs.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job;
  await until(async () => (await ask()).waitingFor).toBe("The cloud's disk is full.");
  expect(jobs.health.problems()).toMatchObject([{ part: 'store' }]);
  rmSync(ballast);
  await expectWhole(jobs, id);
  await until(() => jobs.health.problems()).toEqual([]);
});

/** Appends until the disk is full. */
function fill(path: string): void {
  for (let bytes = 1024 ** 2; bytes >= 1024; ) {
    try {
      appendFileSync(path, new Uint8Array(bytes));
    } catch {
      bytes /= 2;
    }
  }
}

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], { stdio: 'ignore' });
}

/** Most containers do not allow mounting, even for root. */
function canMount(): boolean {
  const folder = join(tmpdir(), `svc-mount-${process.pid}`);
  try {
    execFileSync('mkdir', [folder]);
    mount(folder);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
