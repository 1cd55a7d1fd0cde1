// Many users at once, trainers that crash, clouds that stop without pausing: in any order of events, the logs, rows and
// files of jobs stay consistent.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Artifact, isFinalStatus, type Job } from '../../../lib/contract/index.js';
import { createRandom } from '../../support/random.js';
import { until } from '../../support/until.js';
import { addDeployment } from './add-deployment.js';
import { createScriptedRunner, type ScriptedRun, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, scope, type TestJobs } from './test-jobs.js';

const CONCURRENCY = 2;
const ROUNDS = 100;

let cloud: TestJobs;
afterEach(() => cloud.close());

/** A trainer that takes ten steps at a random pace, saves every third, and may crash. */
async function train(run: ScriptedRun, next: () => number): Promise<void> {
  let word: string | null = null;
  run.onTold = told => {
    word = told;
    if (told === 'kill') run.die('SIGKILL');
  };
  const from = [9, 6, 3].find(step => run.has(step)) ?? 0;
  run.started(from > 0 ? { resumedFromStep: from } : {});
  for (let step = from + 1; step <= 10; step++) {
    for (let i = next() * 4; i > 0; i--) await setImmediate();
    if (word === 'kill') return;
    if (word === 'cancel') return run.end('cancelled');
    run.log(step);
    if (step % 3 === 0) await run.checkpoint(step);
    if (word === 'pause') return run.end('paused');
    if (next() < 0.05) return run.die('SIGSEGV');
  }
  if (word === null) await run.complete();
  else if (word !== 'kill') run.end('cancelled');
}

function attend(runner: ScriptedRunner, next: () => number): void {
  // Its checkpoints may be deleted while it runs.
  runner.attend(run => void train(run, next).catch(() => run.die(null, 1)));
}

async function check(jobs: readonly Job[]): Promise<void> {
  for (const { id, status, artifactCount } of jobs) {
    const events = await cloud.events(id);
    const steps = events.flatMap(event => (event.type === 'training.log' ? [event.step] : []));
    expect(steps).toEqual(steps.map((_, i) => i + 1));
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(isFinalStatus(status) ? 1 : 0);
    if (isFinalStatus(status)) expect(events.at(-1)).toMatchObject({ type: 'end', status });
    const { artifacts } = await cloud.json<{ artifacts: Artifact[] }>('GET', `/v1/jobs/${id}/artifacts`);
    expect(artifacts).toHaveLength(artifactCount);
    expect(artifacts.some(({ kind }) => kind === 'final')).toBe(status === 'completed');
    for (const { name } of artifacts)
      expect(existsSync(join(cloud.folder, 'jobs', id, 'adapters', name, 'adapter_config.json'))).toBe(true);
  }
}

describe.each([1, 2])('random operations and crashes (seed %i)', seed => {
  it('keep events, artifacts and files of every job consistent', async () => {
    const { next } = createRandom(seed);
    const restart = async (graceMs: number) => {
      const runner = createScriptedRunner();
      cloud = await cloud.reopen(runner, { graceMs });
      attend(runner, next);
      await cloud.jobs.start();
    };
    const first = createScriptedRunner();
    cloud = await openTestJobs(first, { concurrency: CONCURRENCY });
    attend(first, next);
    await cloud.jobs.start();
    const made: string[] = [];
    const deleted = new Set<string>();
    const any = () => made[Math.floor(next() * made.length)] ?? '00000000-0000-4000-8000-000000000000';
    const act: (() => Promise<unknown>)[] = [
      async () => made.push((await cloud.create()).id),
      async () => made.push((await cloud.create()).id),
      () => cloud.call('POST', `/v1/jobs/${any()}/cancel`),
      async () => {
        const id = any();
        if ((await cloud.call('DELETE', `/v1/jobs/${id}`)).status === 200) deleted.add(id);
      },
      () => cloud.jobs.collectGarbage(),
      () => cloud.call('GET', `/v1/jobs/${any()}/artifacts/final`).then(response => response.arrayBuffer()),
      () =>
        addDeployment(cloud.db, {
          slug: `s-${made.length}-${Math.floor(next() * 1e9)}`,
          jobId: any(),
          step: 3,
        }).catch(() => {}),
    ];
    const underway: Promise<unknown>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      underway.push(act[Math.floor(next() * act.length)]!());
      if (next() < 0.5) await underway.at(-1);
      if (next() > 0.97) {
        await Promise.all(underway);
        await restart(next() < 0.5 ? 0 : 5000);
      }
    }
    await Promise.all(underway);
    const list = async () => (await cloud.json<{ jobs: Job[] }>('GET', `/v1/jobs${scope}`)).jobs;
    const areOver = async () => (await list()).every(({ status }) => isFinalStatus(status));
    await until(areOver, { progress: async () => (await list()).map(({ status }) => status) }).toBe(true);
    const jobs = await list();
    expect(jobs.map(({ id }) => id).sort()).toEqual(made.filter(id => !deleted.has(id)).sort());
    await check(jobs);
    await cloud.jobs.close();
    await cloud.jobs.collectGarbage();
    await check(jobs);
    expect((await readdir(join(cloud.folder, 'jobs'))).every(id => jobs.some(job => job.id === id))).toBe(
      true,
    );
    for (const { id } of jobs) {
      const left = await readdir(join(cloud.folder, 'jobs', id)).catch(() => []);
      expect(left.filter(name => name !== 'attempt' && name !== 'adapters')).toEqual([]);
    }
    expect(cloud.log.filter(line => 'error' in line)).toEqual([]);
  });
});
