// Jobs that go on from the adapter of another one: what is refused before training, and what the runner gets.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { StorageFault } from '../../../lib/cloud/store/storage-fault.js';
import type { JobConfigInput, StartingAdapter } from '../../../lib/contract/index.js';
import { EngineError } from '../../../lib/engine/index.js';
import { until } from '../../support/until.js';
import { overwrite } from '../store/overwrite.js';
import { jobsPerTest } from './jobs-per-test.js';
import { artifact } from './scripted-runner.js';
import { MODEL } from './test-jobs.js';

let isBusy: boolean;
let isBroken: boolean;
beforeEach(() => {
  isBusy = false;
  isBroken = false;
});

/** Its file reader refuses what may be refused while it is busy; its artifacts cannot be read while it is broken. */
const cloud = jobsPerTest({
  wrapFiles: files => ({
    ...files,
    async run(kind, input, asked) {
      if (isBusy && !asked.isAccepted) throw new EngineError('engine_busy', 'The file reader is busy.');
      return files.run(kind, input, asked);
    },
  }),
  wrapDb: db =>
    overwrite(db, 'selectFrom', (table: 'artifacts') => {
      if (isBroken && table === 'artifacts') throw new StorageFault({ code: 'SQLITE_IOERR' });
      return db.selectFrom(table);
    }),
});

const lora = { loraR: 4, loraAlpha: 8, targetModules: ['q_proj' as const, 'v_proj' as const] };

/** A completed job with a checkpoint at step 5. */
async function complete(config: Partial<JobConfigInput> = lora): Promise<string> {
  const { id, run } = await cloud.begin(config);
  await run.checkpoint(5);
  await cloud.finish(run, 10);
  return id;
}

const final = (jobId: string): StartingAdapter => ({ kind: 'final', jobId });

async function refusal(config: Partial<JobConfigInput>) {
  const datasetSource = { type: 'huggingface', name: 'some/rows' };
  const body = { name: 'x', config: { model: MODEL, datasetSource, ...config } };
  const refused = await cloud.refusal('POST', '/v1/jobs', body);
  expect(await cloud.jobs.count()).toMatchObject({ queued: 0 });
  return refused;
}

it('takes over rank, alpha and modules, and records the step and the digest', async () => {
  const jobId = await complete();
  const { sha256 } = artifact('final', 10);
  const { id, run } = await cloud.begin({ from: final(jobId) });
  const { config, customSettings } = await cloud.ask(id);
  expect(config).toMatchObject({ ...lora, from: { kind: 'final', jobId, step: 10, sha256 } });
  expect(customSettings).not.toContain('from');
  expect(run.document.from).toEqual({
    adapter: { kind: 'final', jobId, step: 10 },
    sha256,
    keepsOptimizer: false,
  });
  const folder = join(cloud.folder, 'jobs', jobId, 'adapters', 'final');
  expect(run.task.request.from).toEqual({
    tensors: join(folder, 'adapter_model.safetensors'),
    sha256,
    state: null,
  });
});

it('goes on from a checkpoint, also of a job that is still running, and repeats what the config says', async () => {
  const { id: running, run } = await cloud.begin(lora);
  await run.checkpoint(5);
  await until(async () => (await cloud.ask(running)).artifactCount).toBe(1);
  const from = { kind: 'checkpoint', jobId: running, step: 5 } as const;
  const next = await cloud.create({ from, ...lora, targetModules: lora.targetModules.toReversed() });
  expect(next.config).toMatchObject({ from: { ...from, sha256: artifact('checkpoint', 5).sha256 } });
  const again = await cloud.create(next.config as unknown as JobConfigInput);
  expect(again.config).toEqual(next.config);
});

it('refuses a job or an adapter that is not there, and one of another organization', async () => {
  const jobId = await complete();
  const missing = '11111111-1111-4111-8111-111111111111';
  expect(await refusal({ from: final(missing) })).toMatchObject({
    status: 400,
    code: 'target_not_found',
    message: `Job ${missing} not found.`,
  });
  const message = `Job ${jobId} has no checkpoint at step 7. It has checkpoints at step 5 and a final adapter.`;
  expect(await refusal({ from: { kind: 'checkpoint', jobId, step: 7 } })).toMatchObject({ message });
  await cloud.db.updateTable('jobs').set({ org_id: 'org-b' }).where('id', '=', jobId).execute();
  expect(await refusal({ from: final(jobId) })).toMatchObject({ code: 'target_not_found' });
});

it.each([
  ['rank', { loraR: 8 }, 'has lora.r 4, not 8', 'config.loraR'],
  ['alpha', { loraAlpha: 4 }, 'has lora.alpha 8, not 4', 'config.loraAlpha'],
  [
    'modules',
    { targetModules: ['q_proj' as const] },
    'has lora.targetModules q_proj, v_proj, not q_proj',
    'config.targetModules',
  ],
])('refuses another %s, and says what to do', async (_, config, message, param) => {
  const from = final(await complete());
  const refused = await refusal({ from, ...config });
  expect(refused).toMatchObject({ status: 400, code: 'invalid_value', param });
  expect(refused.message).toContain(message);
  expect(refused.message).toContain(`Leave \`${message.split(' ')[1]}\` out`);
});

it('refuses an adapter of another base model, and one with another digest', async () => {
  const from = final(await complete());
  const refused = await refusal({ from: { ...from, sha256: 'a'.repeat(64) } });
  expect(refused).toMatchObject({ param: 'config.from.sha256' });
  await cloud.db.updateTable('jobs').set({ config: '{"model":"other/model"}' }).execute();
  expect(await refusal({ from })).toMatchObject({
    code: 'model_not_supported',
    message: expect.stringContaining('belongs to other/model'),
  });
});

it('keeps the optimizer only where its state is', async () => {
  const jobId = await complete();
  const keepOptimizer = true;
  const ofCheckpoint = await refusal({ from: { kind: 'checkpoint', jobId, step: 5 }, keepOptimizer });
  expect(ofCheckpoint.message).toContain("kept with a job's final adapter, not with its checkpoints");
  const without = await refusal({ from: final(jobId), keepOptimizer });
  expect(without).toMatchObject({ param: 'config.keepOptimizer' });
  expect(without.message).toContain('was not kept with the adapter');
  const alone = await refusal({ keepOptimizer });
  expect(alone.message).toContain('`config.keepOptimizer` must not be true without `from`');
  const dpo = await refusal({ from: final(jobId), keepOptimizer, method: { type: 'dpo' } });
  expect(dpo.message).toContain('must not be true with the method dpo');
  const folder = join(cloud.folder, 'jobs', jobId, 'adapters', 'final');
  for (const name of ['trainer_state.json', 'optimizer.safetensors', 'SHA256SUMS'])
    await writeFile(join(folder, name), '');
  const { run } = await cloud.begin({ from: final(jobId), keepOptimizer });
  expect(run.task.request.from).toMatchObject({ state: folder });
  expect(run.document.engine).toBe('node');
});

it('keeps a job whose adapter another one is about to go on from, and fails if its files are gone', async () => {
  const jobId = await complete();
  const { run: blocking } = await cloud.begin();
  const next = await cloud.create({ from: final(jobId) });
  const refused = await cloud.refusal('DELETE', `/v1/jobs/${jobId}`);
  expect(refused).toMatchObject({ status: 409, code: 'job_in_use', retry: 'false' });
  expect(refused.message).toContain(`job ${next.id} continues from its adapter`);
  await rm(join(cloud.folder, 'jobs', jobId, 'adapters', 'final'), { recursive: true });
  await cloud.finish(blocking);
  const { error } = await cloud.until(next.id, 'failed');
  expect(error).toBe(
    `The files of final of job ${jobId}, from which this job continues, are damaged or missing in the cloud.`,
  );
  await cloud.json('DELETE', `/v1/jobs/${jobId}`);
});

it('starts also while the file reader is busy with what others ask', async () => {
  const jobId = await complete();
  isBusy = true;
  const { run } = await cloud.begin({ from: final(jobId) });
  expect(run.document.from).toMatchObject({ adapter: { jobId } });
});

it('waits while the adapter cannot be looked up', async () => {
  const jobId = await complete();
  const { run: blocking } = await cloud.begin();
  const { id } = await cloud.create({ from: final(jobId) });
  isBroken = true;
  await blocking.complete();
  const find = async () => (await cloud.list()).find(job => job.id === id);
  await until(find).toMatchObject({
    status: 'running',
    waitingFor: "The cloud's storage failed (SQLITE_IOERR).",
  });
  isBroken = false;
  const run = await cloud.runner.next();
  expect(run.document.from).toMatchObject({ adapter: { jobId } });
});

it('replays the rows of the runs before, which stay with the job', async () => {
  const upload = async (text: string) => {
    const datasetId = await cloud.upload(`{"text":"${text}"}`);
    return { datasetSource: { type: 'upload' as const, datasetId } };
  };
  const [a, b, c] = [await upload('a'), await upload('b'), await upload('c')];
  const first = await complete({ ...lora, ...a, evalFraction: 0.2 });
  const second = await complete({ from: final(first), ...b });
  const { id, run } = await cloud.begin({ from: final(second), ...c, replay: 0.1 });
  const { config } = await cloud.ask(id);
  const replaySources = [{ source: b.datasetSource }, { source: a.datasetSource, evalFraction: 0.2 }];
  expect(config).toMatchObject({ replay: 0.1, replaySources });
  expect(run.document.data.replay).toMatchObject({
    share: 0.1,
    sources: [{ evaluationFraction: null }, { evaluationFraction: 0.2 }],
  });
  expect(run.task.request.replay?.sources[0]).toMatchObject({ source: { type: 'file' } });
  await cloud.finish(run);
  await cloud.json('DELETE', `/v1/jobs/${second}`);
  await cloud.json('DELETE', `/v1/jobs/${first}`);
  expect(await cloud.db.selectFrom('datasets').selectAll().execute()).toHaveLength(3);
  await cloud.json('DELETE', `/v1/jobs/${id}`);
  expect(await cloud.db.selectFrom('datasets').selectAll().execute()).toHaveLength(0);
});

it('replays rows only of runs that learned in the same way, and that can be read again', async () => {
  const jobId = await complete();
  const param = 'config.replay';
  const dpo = await refusal({ from: final(jobId), replay: 0.1, method: { type: 'dpo' } });
  expect(dpo).toMatchObject({ param, message: expect.stringContaining('learned in another way') });
  const url = 'https://example.test/rows.jsonl';
  const config = JSON.stringify({ model: MODEL, ...lora, datasetSource: { type: 'blob', url } });
  await cloud.db.updateTable('jobs').set({ config }).where('id', '=', jobId).execute();
  const refused = await refusal({ from: final(jobId), replay: 0.1 });
  expect(refused).toMatchObject({ param, message: expect.stringContaining('came from a URL') });
  expect(await refusal({ replay: 0.1 })).toMatchObject({ param });
});
