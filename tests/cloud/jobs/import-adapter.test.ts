// Importing adapters into a cloud with its real engine: what becomes of them, and what is refused.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CloudClient } from '../../../lib/client/index.js';
import { createLocalParts } from '../../../lib/cloud/host/local-parts.js';
import { openBaseModel } from '../../../lib/cloud/index.js';
import { openDb } from '../../../lib/cloud/store/db.js';
import type { InferenceRequest, Job, Scope } from '../../../lib/contract/index.js';
import { describeAdapter } from '../../../lib/engine/train/digests.js';
import { readTar, toTarBlob } from '../../../lib/tar/index.js';
import { type AdapterSample, makeAdapterFolder, SAMPLE_BASE } from '../../support/sample-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { type MemoryCloud, openMemoryCloud } from '../host/memory-cloud.js';

const scratch = temporaryFolder('svc-import');
const folder = temporaryFolder('svc-data');
let model: string;
let memory: MemoryCloud;
let client: CloudClient;
let scope: Scope;
beforeAll(async () => {
  model = await makeModelFolder();
  const baseModel = openBaseModel(model, SAMPLE_BASE);
  const parts = createLocalParts({ folder, baseModel, weights: 'f32', log: () => {} });
  memory = await openMemoryCloud({ folder, baseModel, ...parts });
  await memory.cloud.start();
  const { token, personalOrg } = await memory.signUp();
  scope = { orgSlug: personalOrg.slug, projectSlug: 'one' };
  client = memory.client(token, scope);
  await client.createProject(scope.orgSlug, { name: 'One', slug: 'one' });
});
afterAll(async () => {
  await memory.close();
  await rm(model, { recursive: true });
});

const CONFIG = 'adapter_config.json';
let made = 0;
const makeFolder = (sample?: AdapterSample) =>
  makeAdapterFolder(join(scratch, `adapter-${made++}`), model, sample);

function archiveOf(own: string, names = ['adapter_config.json', 'adapter_model.safetensors']): Blob {
  return toTarBlob(names.map(name => ({ name, content: new Blob([readFileSync(join(own, name))]) })));
}

async function importSample(sample?: AdapterSample, name = 'mine'): Promise<Job> {
  return (await client.importAdapter({ name }, archiveOf(await makeFolder(sample)))).job;
}

const messages = [{ role: 'user' as const, content: 'hello there' }];
const settings = { messages, temperature: 0, maxTokens: 12 };
const say = async (request: object) =>
  (await client.chat({ ...settings, ...(request as InferenceRequest), stream: false })).choices[0]!.message
    .content;
const sayWith = (job: Job) => say({ adapter: { kind: 'final', jobId: job.id } });

describe('an imported adapter', () => {
  it('is a completed job that says it was imported, with the bytes that were sent', async () => {
    const own = await makeFolder({ rank: 4, alpha: 8, modules: ['self_attn.q_proj', 'mlp.down_proj'] });
    const { job } = await client.importAdapter({ name: ' mine ' }, archiveOf(own));
    expect(job).toMatchObject({ name: 'mine', status: 'completed', error: null, artifactCount: 1 });
    expect(job).toMatchObject({ startedAt: null, completedAt: job.createdAt, step: null, totalSteps: null });
    const lora = { loraR: 4, loraAlpha: 8, loraDropout: 0, targetModules: ['q_proj', 'down_proj'] };
    expect(job.config).toEqual({ model: SAMPLE_BASE, imported: true, ...lora });
    expect((await client.listJobs()).jobs[0]).toMatchObject({ id: job.id, status: 'completed' });
    const { artifacts } = await client.listArtifacts(job.id);
    expect(artifacts).toEqual([{ ...(await describeAdapter(own, 'final', 0)), name: 'final' }]);
    await memory.cloud.collectGarbage();
    const archive = await (await client.downloadArtifact(job.id, 'final')).blob();
    for await (const { path, content } of readTar(archive.stream()))
      expect((await buffer(content)).equals(readFileSync(join(own, path)))).toBe(true);
    const { job: again } = await client.importAdapter({ name: 'again' }, archive);
    expect((await client.listArtifacts(again.id)).artifacts).toEqual(artifacts);
    await client.deleteJob(job.id);
    expect(existsSync(join(folder, 'jobs', job.id))).toBe(false);
    expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
  });

  it('has events that end, and a manifest without a run and a seed', async () => {
    const { id } = await importSample();
    const events: object[] = [];
    for await (const { data } of client.streamJobEvents(id)) events.push(JSON.parse(data));
    expect(events).toMatchObject([
      { type: 'training.completed', jobId: id, artifacts: [{ name: 'final' }], imported: true },
      { type: 'end', status: 'completed' },
    ]);
    const [adapter] = (await client.listArtifacts(id)).artifacts;
    const { manifest } = await client.getJobManifest(id);
    const about = { jobId: id, model: { name: SAMPLE_BASE }, config: { imported: true } };
    expect(manifest).toMatchObject({ ...about, seed: null, run: null, adapter });
  });

  it('answers chats, at an endpoint too, and is among the models', async () => {
    const job = await importSample();
    const said = await sayWith(job);
    expect(said).not.toBe(await say({ baseModel: SAMPLE_BASE }));
    const target = { kind: 'adapter', adapter: { kind: 'final', jobId: job.id } } as const;
    await client.createDeployment({ slug: 'imported', target, authMode: 'none' });
    const body = { messages, temperature: 0, max_tokens: 12 };
    const answer = await memory.call('/d/imported/v1/chat/completions', { method: 'POST', json: body });
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: said } }] });
    const { key } = await client.issueProjectKey('test');
    const headers = { authorization: `Bearer ${key.plaintext}` };
    const listed = await (await memory.call('/openai/v1/models', { headers })).text();
    expect(listed).toContain(`ft:${SAMPLE_BASE}:${scope.orgSlug}:mine:${job.id}`);
  });

  it('is what an endpoint that follows its trainer serves', async () => {
    await importSample({}, 'followed');
    const follow = { kind: 'latest', trainer: 'followed' } as const;
    const { deployment } = await client.createDeployment({
      slug: 'followed',
      target: { kind: 'follow', follow },
    });
    const { id } = await importSample({ seed: 2 }, 'followed');
    const shown = (await client.getDeployment(deployment.id)).deployment;
    const target = { kind: 'adapter', adapter: { kind: 'final', jobId: id } };
    expect(shown).toMatchObject({ target, follows: follow });
  });

  it('may hold 16-bit floats, be scaled by the root of its rank, and adapt some layers alone', async () => {
    const plain = await sayWith(await importSample({ rank: 4, alpha: 8 }));
    const rooted = { rank: 4, alpha: 4, settings: { use_rslora: true } };
    const same = await importSample(rooted);
    expect(same.config).toMatchObject({ loraAlpha: 4, useRslora: true });
    expect(await sayWith(same)).toBe(plain);
    for (const dtype of ['F16', 'BF16'] as const)
      expect(await sayWith(await importSample({ dtype }))).toBeTruthy();
    const first = await importSample({
      settings: { layers_to_transform: [0] },
      change: tensors => tensors.filter(({ name }) => name.includes('layers.0.')),
    });
    expect(await sayWith(first)).toBeTruthy();
  });

  it('may name the base model otherwise, if the caller says that it is the same', async () => {
    const own = await makeFolder({ settings: { base_model_name_or_path: '/home/joe/llama' } });
    const refused = client.importAdapter({ name: 'x' }, archiveOf(own));
    await expect(refused).rejects.toMatchObject({
      code: 'model_not_supported',
      param: 'sameBaseModel',
      message: `${CONFIG} has \`/home/joe/llama\` as its base model (base_model_name_or_path); this cloud serves \`${SAMPLE_BASE}\`.`,
    });
    const { job } = await client.importAdapter({ sameBaseModel: true }, archiveOf(own));
    expect(job).toMatchObject({ name: 'imported adapter', config: { adapterBaseModel: '/home/joe/llama' } });
    expect(await sayWith(job)).toBeTruthy();
  });

  it('thinks as its trainer said', async () => {
    const archive = archiveOf(await makeFolder());
    for (const enableThinking of [false, true, undefined]) {
      const { job } = await client.importAdapter({ enableThinking }, archive);
      expect(job.config?.enableThinking).toBe(enableThinking);
    }
  });

  it('is imported once, however often it is sent with one key', async () => {
    const archive = archiveOf(await makeFolder());
    const send = (name: string, idempotencyKey: string) =>
      client.importAdapter({ name }, archive, { idempotencyKey });
    const [first, again] = [await send('a', 'key-1'), await send('a', 'key-1')];
    expect(again).toEqual(first);
    await expect(send('b', 'key-1')).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    const other = archiveOf(await makeFolder({ seed: 2 }));
    const sent = client.importAdapter({ name: 'a' }, other, { idempotencyKey: 'key-1' });
    await expect(sent).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    const { jobs } = await client.listJobs();
    expect(readdirSync(join(folder, 'jobs')).sort()).toEqual(jobs.map(({ id }) => id).sort());
  });
});

it('an import that cannot be stored leaves nothing behind', async () => {
  const db = await openDb(join(folder, 'cloud.db'));
  const before = files();
  const trigger = sql`CREATE TRIGGER full BEFORE INSERT ON artifacts BEGIN SELECT RAISE(ABORT, 'full'); END`;
  await trigger.execute(db);
  await expect(importSample()).rejects.toMatchObject({ status: 500 });
  await sql`DROP TRIGGER full`.execute(db);
  await db.destroy();
  expect(files()).toEqual(before);
  expect(await sayWith(await importSample())).toBeTruthy();
});

/** All but the store, and the folders that the first import makes. */
const files = () =>
  readdirSync(folder, { recursive: true }).filter(name => !/^(?:cloud\.db.*|jobs|uploads)$/.test(`${name}`));

/** The refusal of an archive, which must leave nothing behind. */
async function refusalOf(archive: Blob | Uint8Array<ArrayBuffer>, given = {}) {
  const before = [(await client.listJobs()).jobs, files()];
  const error = await client.importAdapter({ name: 'x', ...given }, archive).then(
    () => expect.unreachable(),
    (thrown: { code: string; message: string; status: number }) => thrown,
  );
  expect([(await client.listJobs()).jobs, files()]).toEqual(before);
  expect(error.message).not.toMatch(/\/tmp|uploads|\.part/);
  expect(error.status).toBe(400);
  return { code: error.code, message: error.message };
}

const PAIR = 'base_model.model.model.layers.0.self_attn.q_proj';

/** A sample with this value in one of its matrices. */
function withValue(matrix: 'lora_A' | 'lora_B', value: number): AdapterSample {
  const put = (data: ArrayLike<number>) =>
    Float32Array.from(data, (was, index) => (index === 5 ? value : was));
  const isMeant = (name: string) => name === `${PAIR}.${matrix}.weight`;
  return { change: all => all.map(one => (isMeant(one.name) ? { ...one, data: put(one.data) } : one)) };
}

describe('what is refused', () => {
  async function expectRefused(sample: AdapterSample, code: string, message: string): Promise<void> {
    const refused = await refusalOf(archiveOf(await makeFolder(sample)));
    expect(refused).toEqual({ code, message: expect.stringContaining(message) });
  }

  it.each<[string, AdapterSample]>([
    ['peft_type is "IA3"; only "LORA" is supported', { settings: { peft_type: 'IA3' } }],
    ['lora_alpha is 0, so the adapter changes nothing', { settings: { lora_alpha: 0 } }],
    ['lora_alpha is 1e+308, too large for rank 4', { settings: { lora_alpha: 1e308 } }],
    ['r is 1025; it must be at most 1024.', { rank: 1025, modules: ['self_attn.k_proj'] }],
  ])('in adapter_config.json: %s', (problem, sample) =>
    expectRefused(sample, 'adapter_invalid', `${CONFIG}: ${problem}`),
  );

  it.each<[string, AdapterSample]>([
    ['lora_A.weight" has the shape [8,64], expected [4,64].', { rank: 8, settings: { r: 4 } }],
    ['lora_B.weight" has values that are not finite or too large.', withValue('lora_B', Number.NaN)],
    ['lora_A.weight" has values that are not finite or too large.', withValue('lora_A', -Infinity)],
  ])('in adapter_model.safetensors: %s', (problem, sample) =>
    expectRefused(sample, 'adapter_invalid', `adapter_model.safetensors: tensor "${PAIR}.${problem}`),
  );

  it('an adapter that names no base model', () => {
    const problem = `${CONFIG} names no base model (base_model_name_or_path)`;
    return expectRefused({ settings: { base_model_name_or_path: null } }, 'model_not_supported', problem);
  });

  it('an archive with other files, with one missing or twice, cut off, or no archive at all', async () => {
    const own = await makeFolder();
    await writeFile(join(own, 'README.md'), 'hello');
    const problems: [Blob | Uint8Array<ArrayBuffer>, string][] = [
      [archiveOf(own, readdirSync(own)), 'It has `README.md`.'],
      [archiveOf(own, ['adapter_config.json']), 'It has no `adapter_model.safetensors`.'],
      [archiveOf(own, ['adapter_config.json', 'adapter_config.json']), 'It has `adapter_config.json`.'],
      [archiveOf(own).slice(0, 3000), 'Tar archive is truncated.'],
      [new Blob(['{"text":"rows"}']), 'Tar archive is truncated.'],
      [new Blob(['x'.repeat(2000)]), 'Invalid tar number.'],
      [new Blob([]), 'Tar archive is truncated.'],
      [toTarBlob([]), 'It has no `adapter_config.json`.'],
    ];
    for (const [archive, problem] of problems) {
      const { code, message } = await refusalOf(archive);
      expect([code, message]).toEqual(['adapter_invalid', expect.stringContaining(problem)]);
    }
  });

  it('a name that no job may have, and an import into a project of others', async () => {
    const archive = archiveOf(await makeFolder());
    expect(await refusalOf(archive, { name: 'a\u0007' })).toMatchObject({ code: 'invalid_value' });
    const stranger = await memory.signUp();
    const theirs = memory.client(stranger.token, scope).importAdapter({ name: 'x' }, archive);
    await expect(theirs).rejects.toMatchObject({ code: 'project_not_found' });
    const nobodys = memory.client(undefined, scope).importAdapter({}, archive);
    await expect(nobodys).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
