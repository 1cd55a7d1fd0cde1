// Many users at once, trainers that crash, clouds that stop without pausing: in any order of events, the logs, rows and
// files of jobs stay consistent.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Artifact, isFinalStatus, type JobSummary } from '../../../lib/contract/index.js';
import { createRandom } from '../../support/random.js';
import { until } from '../../support/until.js';
import { addDeployment } from './add-deployment.js';
import { jobsToOpen } from './jobs-per-test.js';
import type { ScriptedRun } from './scripted-runner.js';

const CONCURRENCY = 2;
const ROUNDS = 100;

const cloud = jobsToOpen();

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

async function check(jobs: readonly JobSummary[]): Promise<void> {
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

it.each([1, 2])(
  'random operations and crashes keep the events, artifacts and files of jobs consistent (seed %i)',
  async seed => {
    const { next } = createRandom(seed);
    const start = () => {
      // Its checkpoints may be deleted while it runs.
      cloud.runner.attend(run => void train(run, next).catch(() => run.die(null, 1)));
      return cloud.jobs.start();
    };
    await cloud.open({ concurrency: CONCURRENCY });
    await start();
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
      () => {
        const slug = `s-${made.length}-${Math.floor(next() * 1e9)}`;
        return addDeployment(cloud.db, { slug, jobId: any(), step: 3 }).catch(() => {});
      },
    ];
    const underway: Promise<unknown>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      underway.push(act[Math.floor(next() * act.length)]!());
      if (next() < 0.5) await underway.at(-1);
      if (next() > 0.97) {
        await Promise.all(underway);
        await cloud.restart({ graceMs: next() < 0.5 ? 0 : 5000 });
        await start();
      }
    }
    await Promise.all(underway);
    const areOver = async () => (await cloud.list()).every(({ status }) => isFinalStatus(status));
    await until(areOver, { progress: async () => (await cloud.list()).map(({ status }) => status) }).toBe(
      true,
    );
    const jobs = await cloud.list();
    expect(jobs.map(({ id }) => id).sort()).toEqual(made.filter(id => !deleted.has(id)).sort());
    await check(jobs);
    await cloud.jobs.close();
    await cloud.jobs.collectGarbage();
    await check(jobs);
    const known = new Set(jobs.map(({ id }) => id));
    expect((await readdir(join(cloud.folder, 'jobs'))).filter(id => !known.has(id))).toEqual([]);
    for (const { id } of jobs) {
      const left = await readdir(join(cloud.folder, 'jobs', id)).catch(() => []);
      expect(left.filter(name => name !== 'attempt' && name !== 'adapters')).toEqual([]);
    }
    expect(cloud.log.filter(line => 'error' in line)).toEqual([]);
  },
);
