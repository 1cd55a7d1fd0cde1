// A data folder served with one base model, then with another: the second does not serve adapters of the first, and
// everything else continues.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CloudDeps } from '../../../lib/cloud/index.js';
import type { AdapterRef, Scope } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { end, type ScriptedBackend, saying, scriptedBackend, text } from '../inference/scripted-backend.js';
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
  const { token: given, personalOrg } = await memory.signUp();
  token = given;
  scope = { orgSlug: personalOrg.slug, projectSlug: 'one' };
  client = memory.client(token, scope);
  await client.createProject(personalOrg.slug, { name: 'one', slug: 'one' });
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

async function restart(baseModel: CloudDeps['baseModel']): Promise<void> {
  await memory.close();
  await start(baseModel);
}

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

const chat = (path: string, body: object) =>
  memory.call(path, { method: 'POST', json: { messages, ...body } });
const atEdge = () => chat('/d/bot/v1/chat/completions', {});
const inPlayground = (adapter: AdapterRef) =>
  memory.call(`/v1/inference/chat?${new URLSearchParams({ ...scope })}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    json: { messages, adapter },
  });

describe.each([
  ['another base model', { name: 'other/model', digest: 'two' }, '`test/model`'],
  [
    'other weights under the same name',
    { name: 'test/model', digest: 'two' },
    'different weights with that name',
  ],
])('a cloud restarted with %s', (_, other, was) => {
  it('refuses adapters of the first model with the reason', async () => {
    const jobId = await publishJob();
    expect((await atEdge()).status).toBe(200);
    await restart({ folder, ...other });
    const refusals = [
      await atEdge(),
      await inPlayground({ kind: 'final', jobId }),
      await inPlayground({ kind: 'checkpoint', jobId, step: 5 }),
    ];
    for (const response of refusals) {
      const { status, code, message } = await refusalOf(response);
      expect([status, code]).toEqual([400, 'model_not_supported']);
      expect(message).toContain(`job ${jobId} trained on ${was}`);
    }
    expect(backend.tasks).toEqual([]);
    const target = { kind: 'adapter', adapter: { kind: 'final', jobId } } as const;
    await expect(client.createDeployment({ slug: 'bot-2', target })).rejects.toMatchObject({
      code: 'model_not_supported',
    });
    expect((await client.listDeployments()).deployments).toHaveLength(1);
  });

  it('serves them again after switching back to the first model', async () => {
    const jobId = await publishJob();
    await restart({ folder, ...other });
    await restart({ folder, name: 'test/model', digest: 'one' });
    expect((await atEdge()).status).toBe(200);
    expect((await inPlayground({ kind: 'checkpoint', jobId, step: 5 })).status).toBe(200);
    expect(backend.tasks).toHaveLength(2);
  });

  it('fails a paused job of the first model instead of resuming it', async () => {
    const id = await createJob();
    const run = await runner.next();
    run.onTold = () => run.end('paused');
    await restart({ folder, ...other });
    await until(async () => (await client.getJob(id)).job.status).toBe('failed');
    expect((await client.getJob(id)).job.error).toContain(other.name);
    expect(runner.runs).toEqual([]);
  });
});

it('serves adapters without a recorded digest, as from an earlier version', async () => {
  await restart({ folder, name: 'test/model' });
  await publishJob();
  await restart({ folder, name: 'test/model', digest: 'two' });
  expect((await atEdge()).status).toBe(200);
});
