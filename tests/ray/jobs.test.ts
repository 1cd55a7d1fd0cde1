// Jobs of a real cloud on a real Ray cluster, beside the same jobs of a cloud that trains by itself.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobConfigInput } from '../../lib/contract/index.js';
import { createHome, type Home } from '../endurance/home.js';
import { emptyVerdict, judgeLog, type NumberedEvent } from '../endurance/judge.js';
import { until } from '../support/until.js';
import { startCluster, type TestCluster } from './support/cluster.js';
import { type ExampleName, layOutExample, trainProject } from './support/examples.js';
import { idOf, type Jobs, lossesOf, openJobs } from './support/jobs.js';
import { openProjectApi } from './support/project-api.js';

const SHORT = { maxSteps: 6, saveSteps: 2, evalSteps: 3, heldOutRows: 6 };
/** Of PyTorch's losses from ours. */
const TOLERANCE = 0.02;

let cluster: TestCluster;
let [atHome, onRay]: [Home?, Home?] = [];

beforeAll(async () => {
  cluster = await startCluster([1, 1]);
  const cloudOptions = ['--ray', cluster.url, '--ray-token-file', cluster.tokenFile];
  atHome = await createHome({ hasBundledModel: true });
  onRay = await createHome({ hasBundledModel: true, cloudOptions });
  for (const home of [atHome, onRay]) {
    await home.wake();
    await home.svc('init');
  }
});

afterAll(async () => {
  await Promise.all([atHome?.end(), onRay?.end()]);
  await cluster?.close();
});

async function train(
  home: Home,
  name: ExampleName,
  options: Partial<typeof SHORT> & { engine?: 'node' | 'torch' },
) {
  await layOutExample(home, name, { ...SHORT, ...options });
  return trainProject(home);
}

async function listSubmissions(): Promise<string[]> {
  const authorization = `Bearer ${await readFile(cluster.tokenFile, 'utf8')}`;
  const response = await fetch(`${cluster.url}/api/jobs/`, { headers: { authorization } });
  const jobs = (await response.json()) as { submission_id: string; type: string }[];
  return jobs.flatMap(({ submission_id, type }) => (type === 'SUBMISSION' ? [submission_id] : []));
}

/** What is known of the same job at home, by which the others are judged. */
let reference: NumberedEvent[];
let jobs: Jobs;
let finished: NumberedEvent[];

describe.sequential('a job on a cluster, by our own engine', () => {
  it.each(['redaction', 'translate', 'support-triage'] as const)(
    'trains %s with the losses and adapters of a run at home, bit for bit',
    async name => {
      const [here, there] = await Promise.all([
        train(atHome!, name, {}),
        train(onRay!, name, { engine: 'node' }),
      ]);
      expect(lossesOf(here)).toHaveLength(SHORT.maxSteps);
      expect(judgeLog({ id: name, status: 'completed' }, there, here)).toEqual(emptyVerdict());
      const [mine, theirs] = [await openJobs(atHome!), await openJobs(onRay!)];
      for (const adapter of ['checkpoint-2', 'final'])
        expect(await theirs.download(idOf(there), adapter)).toEqual(await mine.download(idOf(here), adapter));
      [reference, jobs, finished] = [here, theirs, there];
    },
  );

  it('is canceled, and leaves nothing on the cluster', async () => {
    const config = await jobs.readConfig(idOf(finished));
    const id = await jobs.create({ ...config, maxSteps: 10_000 });
    await jobs.until(id, ({ type }) => type === 'training.log');
    expect(await listSubmissions()).toContain(`svc-${id}-1`);
    await jobs.cloud.cancelJob(id);
    const log = await jobs.readLog(id);
    expect(log.at(-1)!.event).toMatchObject({ type: 'end', status: 'cancelled' });
    await until(listSubmissions).toEqual([]);
  });

  it('is paused with a checkpoint, and goes on from it as if nothing had been', async () => {
    const { tell } = await openProjectApi(onRay!);
    const id = await jobs.create(await jobs.readConfig(idOf(finished)));
    await jobs.until(id, event => event.type === 'training.log' && event.step === 1);
    await tell(id, 'pause');
    await until(listSubmissions).toEqual([]);
    await tell(id, 'resume');
    const log = await jobs.readLog(id);
    const { job } = await jobs.cloud.getJob(id);
    const resumed = log.flatMap(({ event }) =>
      event.type === 'training.started' && event.resumedFromStep ? [event.resumedFromStep] : [],
    );
    expect(resumed).toHaveLength(1);
    // The checkpoint of the pause is there beside those of the undisturbed run.
    const pausedAt = `checkpoint ${resumed[0]}`;
    const verdict = judgeLog(job, log, reference);
    expect(verdict).toEqual({
      ...emptyVerdict(),
      wrong: resumed[0]! % SHORT.saveSteps === 0 ? [] : [`job ${id}: ${pausedAt}, unasked`],
    });
  });
});

describe.sequential('a job on a cluster, by PyTorch', () => {
  it('has the losses of our own engine within rounding, and its adapter gives the same answers', async () => {
    const log = await train(onRay!, 'support-triage', { engine: 'torch' });
    expect(log.at(-1)!.event).toMatchObject({ type: 'end', status: 'completed' });
    const [theirs, ours] = [lossesOf(log), lossesOf(reference)];
    expect(theirs).toHaveLength(ours.length);
    theirs.forEach((loss, i) => {
      expect(Math.abs(loss / ours[i]! - 1)).toBeLessThan(TOLERANCE);
    });
    const [id, other] = [idOf(log), idOf(finished)];
    // By PyTorch, and not by ours.
    expect(await jobs.download(id, 'final')).not.toEqual(await jobs.download(other, 'final'));
    const questions = await readQuestions(20);
    const { answer } = await openProjectApi(onRay!);
    const [mine, others] = [await answer(id, questions), await answer(other, questions)];
    expect(mine.filter((text, i) => text === others[i]).length).toBeGreaterThanOrEqual(19);
  });

  it('has the same losses with two workers as with one that takes all rows', async () => {
    const config = await jobs.readConfig(idOf(finished));
    // Workers drop out inputs of their own.
    const both = [1, 2].map(workers => ({
      ...config,
      loraDropout: 0,
      engine: 'torch' as const,
      resources: { workers },
    }));
    const [one, two] = [await losses(both[0]!), await losses(both[1]!)];
    expect(one).toHaveLength(SHORT.maxSteps);
    expect(two).toHaveLength(one.length);
    two.forEach((loss, i) => {
      expect(Math.abs(loss / one[i]! - 1)).toBeLessThan(1e-4);
    });
  });
});

async function losses(config: JobConfigInput): Promise<number[]> {
  return lossesOf(await jobs.readLog(await jobs.create(config)));
}

/** Of the example's rows that no job trains on. */
async function readQuestions(count: number): Promise<object[][]> {
  const file = new URL('../../examples/support-triage/data/held-out.jsonl', import.meta.url);
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, count);
  return lines.map(line => (JSON.parse(line) as { messages: object[] }).messages.slice(0, -1));
}
