// A data folder served with one base model, then with another: the second does not serve adapters of the first, and
// everything else continues.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CloudDeps } from '../../../lib/cloud/deps.js';
import type { AdapterRef, Scope } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { end, type ScriptedBackend, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { createScriptedRunner, type ScriptedRunner } from '../jobs/scripted-runner.js';
import { type MemoryCloud, openMemoryCloud, refusalOf } from './memory-cloud.js';

const messages = [{ role: 'user' as const, content: 'hi' }];

let folder: string;
let runner: ScriptedRunner;
let backend: ScriptedBackend;
let memory: MemoryCloud;
let client: ReturnType<MemoryCloud['client']>;
let scope: Scope;
let token: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-bases-'));
  await start({ name: 'test/model', folder, digest: 'one' });
  ({ token, scope, client } = await memory.signUpFor('one'));
});
afterEach(async () => {
  await memory.close();
  await rm(folder, { recursive: true });
});

/** Starts a cloud on the folder with this base model. */
async function start(baseModel: CloudDeps['baseModel']): Promise<void> {
  runner = createScriptedRunner();
  backend = scriptedBackend(saying(text('Hello'), end(1, 1)));
  memory = await openMemoryCloud({ folder, baseModel, runner, backend });
  await memory.cloud.start();
  client = memory.client(token, scope);
}

const restart = async (baseModel: CloudDeps['baseModel']) => {
  await memory.close();
  await start(baseModel);
};

const createJob = async () => {
  const datasetSource = { type: 'huggingface', name: 'some/rows' } as const;
  return (await client.createJob({ name: 'a', config: { model: 'test/model', datasetSource } })).job.id;
};

/** Creates a job with a checkpoint and a final adapter, and publishes the final one. */
async function publishJob(): Promise<string> {
  const id = await createJob();
  const run = await runner.next();
  await run.checkpoint(5);
  await run.complete();
  await until(async () => (await client.getJob(id)).job.status).toBe('completed');
  const target = { kind: 'adapter', adapter: { kind: 'final', jobId: id } } as const;
  await client.createDeployment({ slug: 'bot', target, authMode: 'none' });
  return id;
}

const atEdge = () => memory.call('/d/bot/v1/chat/completions', { method: 'POST', json: { messages } });
const inPlayground = (adapter: AdapterRef) =>
  memory.call(`/v1/inference/chat?${new URLSearchParams({ ...scope })}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    json: { messages, adapter },
  });

it('other weights under the same name refuse adapters of the first, until it is back', async () => {
  const jobId = await publishJob();
  const final = { kind: 'final', jobId } as const;
  const checkpoint = { kind: 'checkpoint', jobId, step: 5 } as const;
  expect((await atEdge()).status).toBe(200);
  await restart({ folder, name: 'test/model', digest: 'two' });
  const message = expect.stringContaining(`job ${jobId} trained on different weights with that name`);
  for (const response of [await atEdge(), await inPlayground(final), await inPlayground(checkpoint)])
    expect(await refusalOf(response)).toMatchObject({ status: 400, code: 'model_not_supported', message });
  expect(backend.tasks).toEqual([]);
  const another = client.createDeployment({ slug: 'bot-2', target: { kind: 'adapter', adapter: final } });
  await expect(another).rejects.toMatchObject({ code: 'model_not_supported' });
  expect((await client.listDeployments()).deployments).toHaveLength(1);

  await restart({ folder, name: 'test/model', digest: 'one' });
  expect([(await atEdge()).status, (await inPlayground(checkpoint)).status]).toEqual([200, 200]);
  expect(backend.tasks).toHaveLength(2);
});

it('the same weights under another name serve what was trained, and go on with what was paused', async () => {
  const jobId = await publishJob();
  const paused = await createJob();
  const run = await runner.next();
  run.onTold = () => run.end('paused');
  await restart({ folder, name: 'renamed/model', digest: 'one' });
  expect((await atEdge()).status).toBe(200);
  expect((await inPlayground({ kind: 'final', jobId })).status).toBe(200);
  await (await runner.next()).complete();
  await until(async () => (await client.getJob(paused)).job.status).toBe('completed');
});

it.each(['other/model', 'test/model'])(
  'a paused job fails with another model (%s) instead of resuming',
  async name => {
    const id = await createJob();
    const run = await runner.next();
    run.onTold = () => run.end('paused');
    await restart({ folder, name, digest: 'two' });
    await until(async () => (await client.getJob(id)).job.status).toBe('failed');
    expect((await client.getJob(id)).job.error).toContain(name);
    expect(runner.runs).toEqual([]);
  },
);
