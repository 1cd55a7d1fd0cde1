// Jobs of a real cloud on a real Ray cluster, beside the same jobs of a cloud that trains by itself. Those that take longest
// are tagged `long`: before every change, the conformance of the runner says that a pause loses nothing, and the test of
// rewards that a killed worker does not.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { JobConfigInput } from '../../lib/contract/index.js';
import { emptyVerdict, judgeLog, type NumberedEvent } from '../endurance/judge.js';
import { askProgram } from '../support/program.js';
import { until } from '../support/until.js';
import { furthest, idOf, type Jobs, lossesOf, openJobs } from './support/jobs.js';
import { findNodeProcesses, TASK } from './support/kept-node.js';
import { openProjectApi } from './support/project-api.js';
import { openTwoHomes, trainExample } from './support/two-homes.js';

const SHORT = { maxSteps: 6, saveSteps: 2, evalSteps: 3, heldOutRows: 6 };

/** So many small steps that its worker's reports come in the middle of it. */
const LONG = {
  ...{ maxSteps: 240, batchSize: 2, saveSteps: 80, evalSteps: 120 },
  samples: [{ messages: [{ role: 'user' as const, content: 'My parcel has not arrived.' }] }],
};

/** Of PyTorch's losses from ours. */
const TOLERANCE = 0.02;

const cluster = inject('cluster');
let homes: Awaited<ReturnType<typeof openTwoHomes>>;
/** Once each has trained something: then it has an identity. */
let [here, there]: Jobs[] = [];

beforeAll(async () => {
  homes = await openTwoHomes(cluster);
});

afterAll(() => homes?.end());

async function listSubmissions(): Promise<string[]> {
  const authorization = `Bearer ${await readFile(cluster.tokenFile, 'utf8')}`;
  const response = await fetch(`${cluster.url}/api/jobs/`, { headers: { authorization } });
  const jobs = (await response.json()) as { submission_id: string; type: string }[];
  return jobs.flatMap(({ submission_id, type }) => (type === 'SUBMISSION' ? [submission_id] : []));
}

/** What a longer job is made of on the cluster. */
let long: JobConfigInput;
/** What is known of that job at home, by which the others are judged. */
let reference: NumberedEvent[];
let onRay: NumberedEvent[];

async function trainAtBoth(name: 'redaction' | 'translate' | 'support-triage'): Promise<void> {
  const [mine, theirs] = await Promise.all([
    trainExample(homes.atHome, name, SHORT),
    trainExample(homes.onRay, name, { ...SHORT, engine: 'node' }),
  ]);
  here ??= await openJobs(homes.atHome);
  there ??= await openJobs(homes.onRay);
  expect(lossesOf(mine)).toHaveLength(SHORT.maxSteps);
  expect(judgeLog({ id: name, status: 'completed' }, theirs, mine)).toEqual(emptyVerdict());
  for (const adapter of ['checkpoint-2', 'final'])
    expect(await there.download(idOf(theirs), adapter)).toEqual(await here.download(idOf(mine), adapter));
  long = { ...(await there.readConfig(idOf(theirs))), ...LONG };
  [reference, onRay] = [mine, theirs];
}

describe.sequential('a job on a cluster, by our own engine', () => {
  const trainsAsAtHome = 'trains %s with the losses and adapters of a run at home, bit for bit';
  it.each(['redaction', 'translate'] as const)(trainsAsAtHome, { tags: ['long'] }, trainAtBoth);
  it.each(['support-triage'] as const)(trainsAsAtHome, trainAtBoth);

  it('has the losses of its rows, and what it ran on', async () => {
    const rows = async ({ cloud }: Jobs, id: string) =>
      (await cloud.listJobRows(id, { limit: 200 })).rows.map(({ row, losses }) => [row, losses]);
    const id = idOf(onRay);
    expect(await rows(there!, id)).toEqual(await rows(here!, idOf(reference)));
    expect(await rows(there!, id)).not.toEqual([]);
    const verification = await askProgram<object>(['verify', id], homes.onRay.place);
    expect(verification).toMatchObject({ verified: true, exact: true, sameAdapter: true });
  });

  it('has about the same losses by PyTorch, and an adapter of its own', async () => {
    const config = await there!.readConfig(idOf(onRay));
    const theirs = await there!.readLog(await there!.create({ ...config, engine: 'torch' }));
    expect(theirs.at(-1)!.event).toMatchObject({ type: 'end', status: 'completed' });
    expect(furthest(lossesOf(theirs), lossesOf(onRay))).toBeLessThan(TOLERANCE);
    const [own, other] = await Promise.all([onRay, theirs].map(log => there!.download(idOf(log), 'final')));
    expect(other).not.toEqual(own);
  });

  it('has a longer course to compare with', { tags: ['long'] }, async () => {
    const { engine: _, ...config } = { ...(await here!.readConfig(idOf(reference))), ...LONG };
    reference = await here!.readLog(await here!.create(config));
    expect(lossesOf(reference)).toHaveLength(LONG.maxSteps);
  });

  it('is canceled, and leaves nothing on the cluster', { tags: ['long'] }, async () => {
    const id = await there!.create({ ...long, maxSteps: 10_000 });
    await there!.until(id, ({ type }) => type === 'training.log');
    expect(await listSubmissions()).toContain(`svc-${id}-1`);
    await there!.cloud.cancelJob(id);
    const log = await there!.readLog(id);
    expect(log.at(-1)!.event).toMatchObject({ type: 'end', status: 'cancelled' });
    await until(listSubmissions).toEqual([]);
  });

  it('is paused with a checkpoint, and goes on from it as if nothing had been', {
    tags: ['long'],
  }, async () => {
    const { tell } = await openProjectApi(homes.onRay);
    const id = await there!.create(long);
    await there!.until(id, ({ type }) => type === 'checkpoint.saved');
    await tell(id, 'pause');
    await until(listSubmissions).toEqual([]);
    await tell(id, 'resume');
    const log = await there!.readLog(id);
    const { job } = await there!.cloud.getJob(id);
    expect(resumedFrom(log)).toHaveLength(1);
    // The checkpoint of the pause is there beside those of the undisturbed run, or in place of one.
    const { lost, doubled } = judgeLog(job, log, reference);
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
    expect(lossesOf(log)).toEqual(lossesOf(reference));
    const final = await here!.download(idOf(reference), 'final');
    expect(await there!.download(id, 'final')).toEqual(final);
  });

  it('goes on from its last checkpoint when its worker is killed, as if nothing had been', {
    tags: ['long'],
  }, async () => {
    const id = await there!.create(long);
    await there!.until(id, ({ type }) => type === 'checkpoint.saved');
    const found = await Promise.all(cluster.nodes.map(node => findNodeProcesses(node, TASK)));
    expect(found.flat()).toHaveLength(1);
    process.kill(found.flat()[0]!, 'SIGKILL');
    const log = await there!.readLog(id);
    const { job } = await there!.cloud.getJob(id);
    expect(resumedFrom(log)).not.toEqual([]);
    expect(judgeLog(job, log, reference)).toEqual(emptyVerdict());
    expect(samplesOf(log)).toHaveLength(1 + LONG.maxSteps / LONG.saveSteps);
    expect(samplesOf(log)).toEqual(samplesOf(reference));
  });
});

/** The steps that it went on from. */
function resumedFrom(log: readonly NumberedEvent[]): number[] {
  return log.flatMap(({ event }) =>
    event.type === 'training.started' && event.resumedFromStep ? [event.resumedFromStep] : [],
  );
}

/** What each of its adapters answered, once each. */
function samplesOf(log: readonly NumberedEvent[]): [step: number, answer: string | null][] {
  return log.flatMap(({ event }) =>
    event.type === 'sample.generated' ? [[event.step, event.answer] as [number, string | null]] : [],
  );
}
