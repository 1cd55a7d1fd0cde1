// A cloud inside a program, with a runner and a backend of the program's own, through the package's public door alone.
import { createHash, createHmac } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  connectCloud,
  type InferenceBackend,
  type JobRunner,
  type StartedCloud,
  startCloud,
} from '../../lib/index.js';
import { until } from '../support/until.js';
import { findFreePort } from './local-cloud/homes.js';

const MODEL = 'svc/tiny-instruct';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const step of undo.splice(0).reverse()) await step();
});

async function openHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'svc-embedded-'));
  undo.push(() => rm(home, { recursive: true, maxRetries: 3 }));
  vi.stubEnv('SVC_HOME', home);
  vi.stubEnv('SVC_CLOUD_URL', '');
  return home;
}

async function start(
  home: string,
  parts: { runner?: JobRunner; backend?: InferenceBackend },
): Promise<StartedCloud> {
  const cloud = await startCloud({ folder: join(home, 'cloud'), port: await findFreePort(), ...parts });
  undo.push(() => cloud.stop());
  return cloud;
}

const digest = (...parts: string[]) => createHash('sha256').update(parts.join('')).digest('hex');

/** "Trains" by writing an adapter's files where the desk says. */
const runner: JobRunner = {
  start(run, desk) {
    let isKilled = false;
    const tell = (type: string, fields: object) =>
      desk.record({ type, jobId: run.jobId, timestamp: new Date().toISOString(), ...fields } as never);
    const train = async () => {
      const { folder } = desk.locate(run).request;
      await tell('training.log', { step: 1, loss: 0.5 });
      await mkdir(join(folder, 'final'), { recursive: true });
      await writeFile(join(folder, 'final', 'adapter_config.json'), '{}');
      await writeFile(join(folder, 'final', 'adapter_model.safetensors'), 'tensors');
      const about = { name: 'final', kind: 'final', step: 1, bytes: 9, sha256: digest('x') };
      await tell('training.completed', { artifacts: [about], metrics: {} });
      return { status: isKilled ? ('failed' as const) : ('completed' as const), exitCode: 0, signal: null };
    };
    const kill = () => {
      isKilled = true;
    };
    return { ended: train(), cancel: kill, pause: kill, kill };
  },
};

const backend = (asked: unknown[]): InferenceBackend => ({
  state: 'ready',
  abilities: { adapters: true, logprobs: false, structure: false, embeddings: false },
  load: async () => {},
  unload: async () => {},
  async *ask(_kind, task) {
    asked.push(task);
    yield { text: 'from the program', tokenIds: [1] } as never;
    const usage = { promptTokens: 1, completionTokens: 1 };
    yield { text: '', tokenIds: [], finishReason: 'stop', usage } as never;
  },
  close: async () => {},
});

describe('a cloud inside a program', () => {
  it('trains with the runner and answers with the backend that it was given', async () => {
    const home = await openHome();
    const asked: unknown[] = [];
    await start(home, { runner, backend: backend(asked) });
    const client = await connectCloud({ cwd: home });
    const { dataset } = await client.uploadDataset('rows.jsonl', '{"text":"a row"}\n');
    const { job } = await client.createJob({
      name: 'embedded',
      config: { model: MODEL, datasetSource: { type: 'upload', datasetId: dataset.id } },
    });
    await until(async () => (await client.getJob(job.id)).job.status).toBe('completed');
    expect((await client.getJob(job.id)).job).toMatchObject({ step: 1, artifactCount: 1 });
    const answer = await client.chat({ baseModel: MODEL, messages: [{ role: 'user', content: 'Hello' }] });
    expect(JSON.stringify(answer)).toContain('from the program');
    expect(asked).toHaveLength(1);
  });

  it('proves who it is, and ends when it is stopped', async () => {
    const home = await openHome();
    const cloud = await start(home, { runner, backend: backend([]) });
    const { secret } = JSON.parse(await readFile(join(home, 'cloud', 'cloud.json'), 'utf8')) as {
      secret: string;
    };
    const response = await fetch(`${cloud.url}/v1/cloud?nonce=n`);
    expect(await response.json()).toMatchObject({
      proof: createHmac('sha256', secret).update('n').digest('hex'),
    });
    await cloud.stop();
    await expect(fetch(`${cloud.url}/v1/cloud`)).rejects.toThrow();
  });
});
