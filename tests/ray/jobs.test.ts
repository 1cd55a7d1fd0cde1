// Jobs of a real cloud on a real Ray cluster, beside the same jobs of a cloud that trains by itself.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IssuedKey } from '../../lib/contract/index.js';
import { createHome, type Home } from '../endurance/home.js';
import { emptyVerdict, judgeLog, type NumberedEvent } from '../endurance/judge.js';
import { askProgram } from '../support/program.js';
import { until } from '../support/until.js';
import { startCluster, type TestCluster } from './support/cluster.js';
import { type ExampleName, layOutExample, trainProject } from './support/examples.js';
import { idOf, type Jobs, lossesOf, openJobs } from './support/jobs.js';

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
    expect(await listSubmissions()).toEqual([`svc-${id}-1`]);
    await jobs.cloud.cancelJob(id);
    const log = await jobs.readLog(id);
    expect(log.at(-1)!.event).toMatchObject({ type: 'end', status: 'cancelled' });
    await until(listSubmissions).toEqual([]);
  });

  it('is paused with a checkpoint, and goes on from it as if nothing had been', async () => {
    const { key } = await askProgram<{ key: IssuedKey }>(
      ['keys', 'issue', '--project', '--label', 'test'],
      onRay!.place,
    );
    const { url } = await onRay!.wake();
    async function tell(id: string, what: 'pause' | 'resume') {
      const address = `${url}/openai/v1/fine_tuning/jobs/${id}/${what}`;
      const headers = { authorization: `Bearer ${key.plaintext}` };
      const response = await fetch(address, { method: 'POST', headers });
      expect([response.status, await response.text()]).toMatchObject([200, expect.any(String)]);
    }
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
  it('has the losses of our own engine within rounding, and an adapter that answers here', async () => {
    const log = await train(onRay!, 'support-triage', { engine: 'torch' });
    expect(log.at(-1)!.event).toMatchObject({ type: 'end', status: 'completed' });
    const [theirs, ours] = [lossesOf(log), lossesOf(reference)];
    expect(theirs).toHaveLength(ours.length);
    theirs.forEach((loss, i) => {
      expect(Math.abs(loss / ours[i]! - 1)).toBeLessThan(TOLERANCE);
    });
    // By PyTorch, and not by ours.
    const id = idOf(log);
    expect(await jobs.download(id, 'final')).not.toEqual(await jobs.download(idOf(finished), 'final'));
  });
});
