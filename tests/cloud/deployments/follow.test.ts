// Endpoints that follow a run or a trainer, through the client, against a whole cloud.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CloudClient } from '../../../lib/client/index.js';
import type { Follow, Gate, JobConfigInput, Target } from '../../../lib/contract/index.js';
import { sampleEvaluationInput, sampleGate } from '../../support/sample-evaluation.js';
import { until } from '../../support/until.js';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { type MemoryCloud, openMemoryCloud } from '../host/memory-cloud.js';
import { artifact, createScriptedRunner, type ScriptedRun } from '../jobs/scripted-runner.js';

let memory: MemoryCloud;
let runner: ReturnType<typeof createScriptedRunner>;
let client: CloudClient;
beforeEach(async () => {
  runner = createScriptedRunner();
  const backend = scriptedBackend(saying(text('Hello'), end(1, 1)));
  memory = await openMemoryCloud({ runner, backend, concurrency: 4 });
  await memory.cloud.start();
  const { token, personalOrg } = await memory.signUp();
  client = memory.client(token, { orgSlug: personalOrg.slug, projectSlug: 'one' });
  await client.createProject(personalOrg.slug, { name: 'One', slug: 'one' });
});
afterEach(() => memory.close());

async function train(name = 'triage', options: Partial<JobConfigInput> = {}) {
  const { dataset } = await client.uploadDataset('rows.jsonl', '{"text":"a"}\n');
  const datasetSource = { type: 'upload', datasetId: dataset.id } as const;
  const config = { model: 'test/model', datasetSource, ...options };
  const { job } = await client.createJob({ name, config });
  return { jobId: job.id, run: await runner.next() };
}

/** Trains to the end, and returns the job's ID. */
async function trained(name?: string): Promise<string> {
  const { jobId, run } = await train(name);
  await run.complete();
  await ended(jobId);
  return jobId;
}

/** An endpoint that follows this, and how to look what it serves now. */
async function publish(what: Follow) {
  const target = { kind: 'follow', follow: what } as const;
  const { deployment } = await client.createDeployment({ slug: 'bot', target });
  return { deployment, shown: async () => (await client.getDeployment(deployment.id)).deployment };
}

const evaluated = (run: ScriptedRun, step: number, evalLoss: number) =>
  run.tell('training.log', { step, loss: 1, evalLoss, epoch: 1 });
/** Resolves once it is recorded. */
async function save(run: ScriptedRun, step: number): Promise<void> {
  await run.save(`checkpoint-${step}`);
  await run.tell('checkpoint.saved', { step, artifacts: [artifact('checkpoint', step)] });
}

async function ended(id: string): Promise<void> {
  await until(async () => (await client.getJob(id)).job.status).toBe('completed');
}

const BASE = { kind: 'base_model', baseModel: 'test/model' } as const;
const toTarget = (adapter: object) => ({ kind: 'adapter', adapter });
const checkpoint = (jobId: string, step: number) => toTarget({ kind: 'checkpoint', jobId, step });
const final = (jobId: string) => toTarget({ kind: 'final', jobId });

describe('an endpoint that requires the gate of what it follows', () => {
  const latest = { kind: 'latest', trainer: 'triage' } as const;
  const judge = (target: object, gate: Partial<Gate>, endpoint: string | null = 'bot') => {
    const subject = { target: target as Target, endpoint };
    const comparison = { ...sampleEvaluationInput().comparison!, against: { target: BASE, endpoint: null } };
    return client.createEvaluation(sampleEvaluationInput({ subject, comparison, gate: sampleGate(gate) }));
  };

  it('moves once what it follows has passed for it, and to nothing else', async () => {
    const first = final(await trained());
    const { deployment, shown } = await publish(latest);
    await client.updateDeployment(deployment.id, { requireGate: true });
    const second = final(await trained());
    expect(await shown()).toMatchObject({ target: first, follows: latest, requireGate: true });
    await judge(second, { passed: false });
    await judge(second, { passed: true, movesFollowers: false });
    await judge(second, { passed: true }, 'other');
    await judge(second, { passed: true }, null);
    expect((await shown()).target).toEqual(first);
    await judge(second, { passed: true });
    expect(await shown()).toMatchObject({ target: second, follows: latest });
    await trained();
    expect((await shown()).target).toEqual(second);
    await judge(first, { passed: true });
    expect((await shown()).target).toEqual(second);
  });

  it('moves to a checkpoint by the newest verdict on it', async () => {
    const { jobId, run } = await train();
    await evaluated(run, 5, 1);
    await save(run, 5);
    const { deployment, shown } = await publish({ kind: 'best', jobId });
    await client.updateDeployment(deployment.id, { requireGate: true });
    await evaluated(run, 10, 0.5);
    await save(run, 10);
    await judge(checkpoint(jobId, 5), { passed: true });
    await judge(checkpoint(jobId, 10), { passed: false });
    expect((await shown()).target).toEqual(checkpoint(jobId, 5));
    await judge(checkpoint(jobId, 10), { passed: true });
    expect((await shown()).target).toEqual(checkpoint(jobId, 10));
  });

  it('goes on serving what it does when it begins to follow', async () => {
    const first = final(await trained());
    const { deployment, shown } = await publish(latest);
    await client.updateDeployment(deployment.id, { target: first as Target, requireGate: true });
    const second = final(await trained());
    const follow = { target: { kind: 'follow', follow: latest } } as const;
    await client.updateDeployment(deployment.id, follow);
    expect(await shown()).toMatchObject({ target: first, follows: latest });
    await client.updateDeployment(deployment.id, { ...follow, requireGate: false });
    expect((await shown()).target).toEqual(second);
  });

  it('keeps the job that it follows from being deleted, before it serves it', async () => {
    const first = final(await trained());
    const second = await trained();
    const { deployment, shown } = await publish({ kind: 'latest', trainer: 'triage' });
    await client.updateDeployment(deployment.id, { target: first as Target, requireGate: true });
    const follow = { kind: 'best', jobId: second } as const;
    await client.updateDeployment(deployment.id, { target: { kind: 'follow', follow } });
    await expect(client.deleteJob(second)).rejects.toMatchObject({
      code: 'job_in_use',
      message: `Job ${second} stays: the endpoint \`bot\` follows it. Give it another target first, or delete it.`,
    });
    expect(await shown()).toMatchObject({ target: first, follows: follow });
    await client.updateDeployment(deployment.id, { target: first as Target });
    await client.deleteJob(second);
  });
});

describe('an endpoint that follows the best of a run', () => {
  it('serves the adapter with the lowest evaluation loss, and keeps what it served before', async () => {
    const { jobId, run } = await train();
    await save(run, 5);
    const { deployment, shown } = await publish({ kind: 'best', jobId });
    const follows = { kind: 'best', jobId };
    expect(deployment).toMatchObject({ target: checkpoint(jobId, 5), follows, earlierTargets: [] });
    await evaluated(run, 10, 2);
    await save(run, 10);
    expect((await shown()).target).toEqual(checkpoint(jobId, 10));
    await evaluated(run, 15, 3);
    await save(run, 15);
    expect((await shown()).target).toEqual(checkpoint(jobId, 10));
    await evaluated(run, 20, 1);
    await run.complete(20);
    await until(async () => (await shown()).target).toEqual(final(jobId));
    const { earlierTargets } = await shown();
    const earlier = earlierTargets!.map(({ target }) => target);
    expect(earlier).toEqual([checkpoint(jobId, 10), checkpoint(jobId, 5)]);
  });

  it('serves none that was not evaluated since the one before it', async () => {
    const { jobId, run } = await train();
    await save(run, 50);
    const { shown } = await publish({ kind: 'best', jobId });
    await evaluated(run, 90, 0.3);
    await evaluated(run, 100, 0.4);
    await save(run, 100);
    await save(run, 150);
    expect((await shown()).target).toEqual(checkpoint(jobId, 100));
    await evaluated(run, 200, 0.35);
    await save(run, 210);
    expect((await shown()).target).toEqual(checkpoint(jobId, 210));
    await run.complete(250);
    await ended(jobId);
    expect((await shown()).target).toEqual(checkpoint(jobId, 210));
  });

  it('serves the final adapter in place of a checkpoint of the same step', async () => {
    const { jobId, run } = await train();
    await evaluated(run, 10, 0.5);
    await save(run, 10);
    const { shown } = await publish({ kind: 'best', jobId });
    await run.complete(10);
    await ended(jobId);
    expect((await shown()).target).toEqual(final(jobId));
  });

  it('serves the adapter with the highest held-out reward of a run that learns from them', async () => {
    const { jobId, run } = await train();
    const rewarded = (step: number, evalReward: number) =>
      run.tell('training.log', { step, loss: 0.1, reward: 0.5, evalReward, epoch: 1 });
    await rewarded(5, 0.25);
    await save(run, 5);
    const { shown } = await publish({ kind: 'best', jobId });
    await rewarded(10, 0.75);
    await save(run, 10);
    expect((await shown()).target).toEqual(checkpoint(jobId, 10));
    await rewarded(15, 0.5);
    await run.complete(15);
    await ended(jobId);
    expect((await shown()).target).toEqual(checkpoint(jobId, 10));
  });

  it.each([true, false])('serves the best score instead, also after the end: higher %s', async higher => {
    const evals = { evals: ['tone', 'other'], bestBy: { score: 'tone', higher } };
    const { jobId, run } = await train('triage', evals);
    const worse = higher ? -1 : 1;
    await evaluated(run, 5, 1);
    await save(run, 5);
    const { shown } = await publish({ kind: 'best', jobId });
    const target = async () => (await shown()).target;
    await evaluated(run, 10, 2);
    await save(run, 10);
    expect(await target()).toEqual(checkpoint(jobId, 5));
    await client.recordScores(jobId, { step: 10, scores: { tone: 7 } });
    expect(await target()).toEqual(checkpoint(jobId, 10));
    await client.recordScores(jobId, { step: 5, scores: { tone: 7 + worse, other: 7 - worse } });
    expect(await target()).toEqual(checkpoint(jobId, 10));
    await evaluated(run, 15, 0.5);
    await run.complete(15);
    await ended(jobId);
    expect(await target()).toEqual(checkpoint(jobId, 10));
    await client.recordScores(jobId, { step: 15, scores: { tone: 7 - worse } });
    expect(await target()).toEqual(final(jobId));
  });

  it('is refused before there is a checkpoint, and for a job of another project', async () => {
    const { jobId, run } = await train();
    const target = { kind: 'follow', follow: { kind: 'best', jobId } } as const;
    const input = { slug: 'bot', target };
    await expect(client.createDeployment(input)).rejects.toMatchObject({ code: 'target_not_found' });
    await save(run, 5);
    const { token, personalOrg } = await memory.signUp();
    const other = memory.client(token, { orgSlug: personalOrg.slug, projectSlug: 'two' });
    await other.createProject(personalOrg.slug, { name: 'Two', slug: 'two' });
    await expect(other.createDeployment(input)).rejects.toMatchObject({ code: 'target_not_found' });
  });

  it('goes on beside a canary, which ends when it becomes the target itself', async () => {
    const { jobId, run } = await train();
    await save(run, 5);
    const { deployment, shown } = await publish({ kind: 'best', jobId });
    const { jobId: other, run: second } = await train();
    await save(second, 5);
    await client.updateDeployment(deployment.id, {
      canary: { target: checkpoint(other, 5) as Target, share: 0.1 },
    });
    await save(run, 10);
    const follows = { kind: 'best', jobId };
    expect(await shown()).toMatchObject({
      target: checkpoint(jobId, 10),
      follows,
      canary: { target: checkpoint(other, 5) },
    });
    await client.cancelJob(other);
    second.die('SIGKILL');
    const refusal = () => client.deleteJob(other).catch((error: Error) => error.message);
    await until(refusal).toContain('the endpoint `bot` uses its adapter');
    await client.updateDeployment(deployment.id, {
      canary: { target: checkpoint(jobId, 5) as Target, share: 0.1 },
    });
    expect(await refusal()).not.toContain('uses its adapter');
    const promoted = await client.updateDeployment(deployment.id, {
      promote: checkpoint(jobId, 5) as Target,
    });
    expect(promoted.deployment).toMatchObject({
      target: checkpoint(jobId, 5),
      follows: null,
      canary: null,
    });
  });

  it('keeps the job from being deleted', async () => {
    const { jobId, run } = await train();
    await save(run, 5);
    await publish({ kind: 'best', jobId });
    await client.cancelJob(jobId);
    run.die('SIGKILL');
    const refusal = () => client.deleteJob(jobId).catch((error: Error) => error.message);
    await until(refusal).toContain('the endpoint `bot` uses its adapter');
  });
});

describe("an endpoint that follows a trainer's latest", () => {
  it('changes when a run of that trainer completes, and not for others', async () => {
    const first = await trained();
    const { deployment, shown } = await publish({ kind: 'latest', trainer: 'triage' });
    expect(deployment.target).toEqual(final(first));
    await trained('redaction');
    const [second, third] = [await train(), await train()];
    await client.updateJob(third.jobId, { name: 'the better one' });
    await third.run.complete();
    await ended(third.jobId);
    expect((await shown()).target).toEqual(final(third.jobId));
    // It began earlier than what is served.
    await second.run.complete();
    await ended(second.jobId);
    expect((await shown()).target).toEqual(final(third.jobId));
    expect((await shown()).earlierTargets).toHaveLength(1);
  });

  it('follows nothing anymore once it is given a target', async () => {
    const first = await trained();
    const { deployment, shown } = await publish({ kind: 'latest', trainer: 'triage' });
    await client.updateDeployment(deployment.id, { target: 'final' });
    expect(await shown()).toMatchObject({ follows: null, earlierTargets: [] });
    await trained();
    expect((await shown()).target).toEqual(final(first));
  });

  it('goes back past jobs that were deleted, to what it served before them', async () => {
    const oldest = await trained();
    const { deployment, shown } = await publish({ kind: 'latest', trainer: 'triage' });
    const [older, latest] = [await trained(), await trained()];
    const earlier = async () => (await shown()).earlierTargets!.map(({ target }) => target);
    expect(await earlier()).toEqual([older, oldest].map(final));
    const { updatedAt } = await shown();
    await client.deleteJob(older);
    expect(await earlier()).toEqual([final(oldest)]);
    expect(await shown()).toMatchObject({ target: final(latest), updatedAt });
    const { target } = (await shown()).earlierTargets![0]!;
    await client.updateDeployment(deployment.id, { target });
    expect(await shown()).toMatchObject({ target: final(oldest), follows: null });
    // It would go back to what it serves.
    await client.updateDeployment(deployment.id, { target: final(latest) as Target });
    await client.updateDeployment(deployment.id, { target: final(oldest) as Target });
    expect(await earlier()).toEqual([latest, oldest, latest, oldest].map(final));
    await client.deleteJob(latest);
    expect(await earlier()).toEqual([]);
  });
});
