// What a cloud says about itself and a project: its document, its health, what goes on, and the cluster that it trains on.
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Cluster, NO_CHAT_TEMPLATE } from '../../../lib/contract/index.js';
import type { FileReader } from '../../../lib/engine/index.js';
import { sampleCluster } from '../../support/sample-cluster.js';
import { sampleModelFacts } from '../../support/sample-overview.js';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { openMemoryCloud, SECRET } from '../host/memory-cloud.js';
import { openProjectCloud } from '../project-api/project-cloud.js';
import { createTuning, toSvcId } from '../project-api/tuning-jobs.js';

async function open(deps: Parameters<typeof openMemoryCloud>[0] = {}) {
  const cloud = await openMemoryCloud(deps);
  onTestFinished(() => cloud.close());
  /** Of a user of its own. */
  async function addProject(slug: string) {
    const { token, personalOrg } = await cloud.signUp();
    await cloud.client(token).createProject(personalOrg.slug, { name: slug, slug });
    return cloud.client(token, { orgSlug: personalOrg.slug, projectSlug: slug });
  }
  return { cloud, addProject };
}

it("GET /v1/openapi.json needs no credentials, names the cloud's URLs and refuses foreign origins", async () => {
  const { cloud } = await open();
  const response = await cloud.call('/v1/openapi.json');
  expect(response.status).toBe(200);
  const { servers, paths } = (await response.json()) as { servers: object[]; paths: Record<string, object> };
  expect(servers).toEqual([{ url: 'http://localhost:4100' }]);
  const post = { operationId: 'createChatCompletion' };
  const offered = { servers: [{ url: 'http://{slug}.localhost:4100' }], post };
  expect(paths['/v1/chat/completions']).toMatchObject(offered);
  const page = await cloud.call('/v1/openapi.json', { headers: { origin: 'https://evil.example' } });
  expect(page.status).toBe(403);
});

describe('the health of reading files', () => {
  async function readHealth(load: FileReader['load']) {
    const run = () => Promise.reject(new Error('No file is read here.'));
    const { cloud } = await open({ files: { run, load, close() {} } });
    return cloud.client().getHealth(SECRET);
  }

  it('is good while the work of one caller waits for its own', async () => {
    const health = await readHealth({ running: 2, waiting: 60, heldUpMs: 0 });
    expect(health).toMatchObject({ status: 'ok', files: { running: 2, waiting: 60 } });
  });

  it('is bad once a caller waits for others alone', async () => {
    const health = await readHealth({ running: 3, waiting: 5, heldUpMs: 12_345 });
    const message = 'Uploads and previews wait, the first for 12 s (5 in all).';
    expect(health).toMatchObject({ status: 'degraded', problems: [{ part: 'files', message }] });
  });
});

describe('the base model of a cloud', () => {
  it('is told to anyone: its facts, if the cloud knows them, and what a chat waits for', async () => {
    const read = async (deps: Parameters<typeof open>[0]) => (await open(deps)).cloud.client().getBaseModel();
    const nothing = { name: 'test/model', facts: null, preparing: null };
    expect(await read({})).toEqual({ baseModel: nothing });
    const known = { name: 'test/model', folder: '', digest: 'd'.repeat(64) };
    expect(await read({ baseModel: known })).toEqual({ baseModel: { ...nothing, digest: known.digest } });
    const backend = { ...scriptedBackend(saying(end(1, 1))), preparing: 'Loading the model.' };
    expect(await read({ readModelFacts: async () => sampleModelFacts, backend })).toEqual({
      baseModel: { ...nothing, facts: sampleModelFacts, preparing: 'Loading the model.' },
    });
  });

  it('without a chat template answers no chat: the model is not even asked', async () => {
    const backend = scriptedBackend(saying(text('Hello'), end(3, 1)));
    const readModelFacts = async () => ({ ...sampleModelFacts, hasChatTemplate: false });
    const { addProject, cloud } = await open({ backend, readModelFacts });
    const client = await addProject('one');
    const chat = client.chat({
      baseModel: 'test/model',
      messages: [{ role: 'user', content: 'hi' }],
      stream: false,
    });
    const refusal = { status: 400, code: 'invalid_value', message: NO_CHAT_TEMPLATE };
    await expect(chat).rejects.toMatchObject(refusal);
    const target = { kind: 'base_model', baseModel: 'test/model' } as const;
    await client.createDeployment({ slug: 'open', target, authMode: 'none', operations: ['completions'] });
    const ask = (operation: string, json: object) =>
      cloud.call(`/d/open/v1/${operation}`, { method: 'POST', json: { model: 'open', ...json } });
    const messages = [{ role: 'user', content: 'hi' }];
    for (const stream of [false, true])
      expect(await (await ask('chat/completions', { messages, stream })).json()).toMatchObject({
        error: { code: 'invalid_value', message: NO_CHAT_TEMPLATE, param: 'messages' },
      });
    expect(backend.tasks).toEqual([]);
    expect((await ask('completions', { prompt: 'hi' })).status).toBe(200);
    expect(backend.tasks).toHaveLength(1);
  });
});

describe('the overview of a project', () => {
  const CONFIG = { model: 'test/model', datasetSource: { type: 'huggingface', name: 'some/rows' } } as const;

  it('has what runs or waits in order, and what ended last, five each, and nothing of another one', async () => {
    const { addProject } = await open();
    const client = await addProject('one');
    for (let number = 1; number <= 13; number++) {
      const { job } = await client.createJob({ name: `job ${number}`, config: CONFIG });
      if (number > 6) await client.cancelJob(job.id);
    }
    const { running, recent } = await client.getOverview();
    const namesOf = (numbers: number[]) => numbers.map(number => `job ${number}`);
    expect(running.map(({ name }) => name)).toEqual(namesOf([1, 2, 3, 4, 5]));
    expect(running.map(({ status }) => status)).toEqual(Array(5).fill('queued'));
    expect(recent.map(({ name }) => name)).toEqual(namesOf([13, 12, 11, 10, 9]));
    expect(recent[0]).not.toHaveProperty('config');
    const others = await (await addProject('two')).getOverview();
    expect(others).toEqual({ running: [], recent: [], endpoints: [], countedSince: expect.any(String) });
  });

  it('counts the requests of each endpoint, and those that were not answered', async () => {
    const backend = scriptedBackend(saying(text('Hello'), end(3, 1)));
    const { cloud, addProject } = await open({ backend });
    const client = await addProject('one');
    const target = { kind: 'base_model', baseModel: 'test/model' } as const;
    await client.createDeployment({ slug: 'open', target, authMode: 'none' });
    await client.createDeployment({ slug: 'guarded', target });
    const ask = (slug: string, json: object) =>
      cloud.call(`/d/${slug}/v1/chat/completions`, { method: 'POST', json });
    await ask('open', { messages: [{ role: 'user', content: 'hi' }] });
    await ask('open', {});
    // Without a key it is not let in, so it does not count.
    await ask('guarded', { messages: [{ role: 'user', content: 'hi' }] });
    const { endpoints } = await client.getOverview();
    expect(endpoints).toMatchObject([
      { slug: 'guarded', enabled: true, requests: 0, failed: 0 },
      { slug: 'open', enabled: true, requests: 2, failed: 1 },
    ]);
  });
});

describe('the cluster of a cloud', () => {
  async function openWith(...given: Parameters<typeof openProjectCloud>) {
    const cloud = await openProjectCloud(...given);
    onTestFinished(() => cloud.close());
    return cloud;
  }

  it('is null for one that trains on its own machine', async () => {
    expect(await (await openWith()).svc.getCluster()).toEqual({ cluster: null });
  });

  it('is described with the jobs of the project, and of no other', async () => {
    const { kind, url, version, problem, nodes } = sampleCluster();
    const cluster: Cluster = { kind, url, version, problem, nodes };
    const cloud = await openWith({ readCluster: async () => cluster });
    const jobId = toSvcId((await createTuning(cloud)).id);
    const reason = 'Waiting for a GPU.';
    (await cloud.runner.next()).waitsFor(reason);
    const shown = { ...cluster, runs: [], waits: [{ jobId, reason }] };
    expect(await cloud.svc.getCluster()).toEqual({ cluster: shown });
    const other = await cloud.openOther();
    expect(await other.svc.getCluster()).toEqual({ cluster: { ...shown, waits: [] } });
  });
});
