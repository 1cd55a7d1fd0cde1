// Importing adapters into a cloud with its real engine: what becomes of them, and what is refused.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CloudClient } from '../../../lib/client/index.js';
import { makeBackup, openBaseModel } from '../../../lib/cloud/index.js';
import { createLocalParts } from '../../../lib/cloud/serve/local-parts.js';
import { openDb } from '../../../lib/cloud/store/db.js';
import type { InferenceRequest, Job, Scope } from '../../../lib/contract/index.js';
import { describeAdapter } from '../../../lib/engine/train/artifact.js';
import { readTar, toTarBlob } from '../../../lib/tar/index.js';
import { type AdapterSample, makeAdapterFolder, SAMPLE_BASE } from '../../support/sample-adapter.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { type MemoryCloud, openMemoryCloud } from '../serve/memory-cloud.js';

let model: string;
let scratch: string;
let folder: string;
let memory: MemoryCloud;
let client: CloudClient;
let token: string;
let scope: Scope;
beforeAll(async () => {
  model = await makeModelFolder();
  scratch = await mkdtemp(join(tmpdir(), 'svc-import-'));
  folder = await mkdtemp(join(tmpdir(), 'svc-data-'));
  const baseModel = openBaseModel(model, SAMPLE_BASE);
  const log = () => {};
  memory = await openMemoryCloud({
    folder,
    baseModel,
    ...createLocalParts({ folder, baseModel, weights: 'f32', log }),
  });
  await memory.cloud.start();
  const me = await memory.signUp();
  token = me.token;
  scope = { orgSlug: me.personalOrg.slug, projectSlug: 'one' };
  client = memory.client(token, scope);
  await client.createProject(scope.orgSlug, { name: 'One', slug: 'one' });
});
afterAll(async () => {
  await memory.close();
  for (const path of [model, scratch, folder]) await rm(path, { recursive: true });
});

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
    const own = await makeFolder({ rank: 4, alpha: 8, modules: ['q_proj', 'down_proj'] });
    const { job } = await client.importAdapter({ name: ' mine ' }, archiveOf(own));
    expect(job).toMatchObject({ name: 'mine', status: 'completed', error: null, artifactCount: 1 });
    expect(job).toMatchObject({ startedAt: null, completedAt: job.createdAt, step: null, totalSteps: null });
    expect(job.config).toEqual({
      model: SAMPLE_BASE,
      imported: true,
      loraR: 4,
      loraAlpha: 8,
      loraDropout: 0,
      targetModules: ['q_proj', 'down_proj'],
    });
    expect((await client.listJobs()).jobs[0]).toMatchObject({ id: job.id, status: 'completed' });
    const { artifacts } = await client.listArtifacts(job.id);
    expect(artifacts).toEqual([{ ...(await describeAdapter(own, 'final', 0)), name: 'final' }]);
    const { body } = await client.downloadArtifact(job.id, 'final');
    for await (const { path, content } of readTar(body!))
      expect((await buffer(content)).equals(readFileSync(join(own, path)))).toBe(true);
  });

  it('has events that end', async () => {
    const { id } = await importSample();
    const events: object[] = [];
    for await (const { data } of client.streamJobEvents(id)) events.push(JSON.parse(data));
    expect(events).toMatchObject([
      { type: 'training.completed', jobId: id, artifacts: [{ name: 'final' }], imported: true },
      { type: 'end', status: 'completed' },
    ]);
  });

  it('has a manifest, without a run and a seed', async () => {
    const { id } = await importSample();
    const [adapter] = (await client.listArtifacts(id)).artifacts;
    expect((await client.getJobManifest(id)).manifest).toMatchObject({
      jobId: id,
      model: { name: SAMPLE_BASE },
      config: { imported: true },
      seed: null,
      run: null,
      adapter,
    });
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
      message: `adapter_config.json has \`/home/joe/llama\` as its base model (base_model_name_or_path); this cloud serves \`${SAMPLE_BASE}\`.`,
    });
    const { job } = await client.importAdapter({ sameBaseModel: true }, archiveOf(own));
    expect(job).toMatchObject({ name: 'imported adapter', config: { adapterBaseModel: '/home/joe/llama' } });
    expect(await sayWith(job)).toBeTruthy();
  });

  it('is imported again from what was downloaded', async () => {
    const job = await importSample();
    const archive = await (await client.downloadArtifact(job.id, 'final')).blob();
    const { job: again } = await client.importAdapter({ name: 'again' }, archive);
    const artifactsOf = async ({ id }: Job) => (await client.listArtifacts(id)).artifacts;
    expect(await artifactsOf(again)).toEqual(await artifactsOf(job));
  });

  it('stays when garbage is collected, is in backups, and is deleted with its job', async () => {
    const job = await importSample();
    const weights = join(folder, 'jobs', job.id, 'adapters/final/adapter_model.safetensors');
    await memory.cloud.collectGarbage();
    expect(existsSync(weights)).toBe(true);
    expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
    await makeBackup(folder, join(scratch, 'backup.tar'), '1');
    const names: string[] = [];
    for await (const { path, content } of readTar(
      new Blob([readFileSync(join(scratch, 'backup.tar'))]).stream(),
    )) {
      names.push(path);
      await buffer(content);
    }
    expect(names).toContain(`jobs/${job.id}/adapters/final/adapter_model.safetensors`);
    await client.deleteJob(job.id);
    expect(existsSync(weights)).toBe(false);
  });

  it('is imported once, however often it is sent with one key', async () => {
    const archive = archiveOf(await makeFolder());
    const send = (name: string, idempotencyKey: string) =>
      client.importAdapter({ name }, archive, { idempotencyKey });
    const [first, again] = [await send('a', 'key-1'), await send('a', 'key-1')];
    expect(again).toEqual(first);
    await expect(send('b', 'key-1')).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    const other = client.importAdapter({ name: 'a' }, archiveOf(await makeFolder({ seed: 2 })), {
      idempotencyKey: 'key-1',
    });
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    const { jobs } = await client.listJobs();
    expect(readdirSync(join(folder, 'jobs')).sort()).toEqual(jobs.map(({ id }) => id).sort());
  });
});

it('an import that cannot be stored leaves nothing behind', async () => {
  const db = await openDb(join(folder, 'cloud.db'));
  const before = files();
  await sql`CREATE TRIGGER full BEFORE INSERT ON artifacts BEGIN SELECT RAISE(ABORT, 'full'); END`.execute(
    db,
  );
  await expect(importSample()).rejects.toMatchObject({ status: 500 });
  await sql`DROP TRIGGER full`.execute(db);
  await db.destroy();
  expect(files()).toEqual(before);
  expect(await sayWith(await importSample())).toBeTruthy();
});

const files = () =>
  readdirSync(folder, { recursive: true }).filter(name => !`${name}`.startsWith('cloud.db'));

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

describe('what is refused', () => {
  it.each<[string, Record<string, unknown>]>([
    ['peft_type is "IA3"; only "LORA" is supported', { peft_type: 'IA3' }],
    ['lora_alpha is "x"; it must be a number', { lora_alpha: 'x' }],
    ['lora_alpha is 0, so the adapter changes nothing', { lora_alpha: 0 }],
    ['lora_alpha is 1e+308, too large for rank 4', { lora_alpha: 1e308 }],
  ])('in adapter_config.json: %s', async (problem, changed) => {
    const { code, message } = await refusalOf(archiveOf(await makeFolder({ settings: changed })));
    expect(code).toBe('adapter_invalid');
    expect(message).toContain(`adapter_config.json: ${problem}`);
  });

  it('an adapter that names no base model', async () => {
    const own = await makeFolder({ settings: { base_model_name_or_path: null } });
    expect(await refusalOf(archiveOf(own))).toMatchObject({
      code: 'model_not_supported',
      message: expect.stringContaining('adapter_config.json names no base model (base_model_name_or_path)'),
    });
  });

  it.each<[string, AdapterSample]>([
    [
      `tensor "${PAIR}.lora_A.weight" has the shape [8,64], expected [4,64].`,
      { rank: 8, settings: { r: 4 } },
    ],
    [
      `tensor "${PAIR}.lora_B.weight" has values that are not finite or too large.`,
      {
        change: change(`${PAIR}.lora_B.weight`, tensor => ({
          ...tensor,
          data: withValue(tensor.data, Number.NaN),
        })),
      },
    ],
    [
      `tensor "${PAIR}.lora_A.weight" has values that are not finite or too large.`,
      {
        change: change(`${PAIR}.lora_A.weight`, tensor => ({
          ...tensor,
          data: withValue(tensor.data, -Infinity),
        })),
      },
    ],
  ])('in adapter_model.safetensors: %s', async (problem, sample) => {
    expect(await refusalOf(archiveOf(await makeFolder(sample)))).toEqual({
      code: 'adapter_invalid',
      message: `adapter_model.safetensors: ${problem}`,
    });
  });

  it('an adapter of a higher rank than any that is trained here', async () => {
    const sample: AdapterSample = { rank: 1025, modules: ['k_proj'] };
    expect(await refusalOf(archiveOf(await makeFolder(sample)))).toEqual({
      code: 'adapter_invalid',
      message: 'adapter_config.json: r is 1025; it must be at most 1024.',
    });
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
    await expect(memory.client(undefined, scope).importAdapter({}, archive)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});

type Tensors = Parameters<NonNullable<AdapterSample['change']>>[0];

function change(name: string, to: (tensor: Tensors[number]) => Tensors[number]) {
  return (all: Tensors) => all.map(tensor => (tensor.name === name ? to(tensor) : tensor));
}

function withValue(data: Tensors[number]['data'], value: number): Float32Array {
  return Float32Array.from(data, (was, index) => (index === 5 ? value : was));
}
