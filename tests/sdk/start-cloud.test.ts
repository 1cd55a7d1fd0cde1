// A cloud inside a program, with a runner and a backend of the program's own, through the package's public door alone.
import { createHmac } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Backend,
  connectCloud,
  type JobRunner,
  type StartedCloud,
  startCloud,
} from '../../lib/index.js';
import { findFreePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const MODEL = 'svc/tiny-instruct';

/** "Trains" by writing an adapter's files where the desk says. */
const runner: JobRunner = {
  start(run, desk) {
    let isKilled = false;
    const tell = (type: string, fields: object) =>
      desk.record({ type, jobId: run.jobId, timestamp: new Date().toISOString(), ...fields } as never);
    const train = async () => {
      const final = join(desk.locate(run).request.folder, 'final');
      await tell('training.log', { step: 1, loss: 0.5 });
      await mkdir(final, { recursive: true });
      await writeFile(join(final, 'adapter_config.json'), '{}');
      await writeFile(join(final, 'adapter_model.safetensors'), 'tensors');
      const about = { name: 'final', kind: 'final', step: 1, bytes: 9, sha256: 'a'.repeat(64) };
      await tell('training.completed', { artifacts: [about], metrics: {} });
      return { status: isKilled ? ('failed' as const) : ('completed' as const), exitCode: 0, signal: null };
    };
    const kill = () => {
      isKilled = true;
    };
    return { ended: train(), cancel: kill, pause: kill, kill };
  },
};

let asked: unknown[];
const backend: Backend = {
  state: 'ready',
  abilities: { adapters: true, logprobs: false, structure: false, embeddings: false, ownTemplate: false },
  load: async () => {},
  unload: async () => {},
  async *ask(_kind, task) {
    asked.push(task);
    yield { text: 'from the program', tokenIds: [1] } as never;
    const usage = { promptTokens: 1, completionTokens: 1 };
    yield { text: '', tokenIds: [], finishReason: 'stop', usage } as never;
  },
  close: async () => {},
};

let home: string;
let cloud: StartedCloud;
beforeEach(async () => {
  home = temporaryFolder('svc-embedded');
  asked = [];
  vi.stubEnv('SVC_HOME', home);
  vi.stubEnv('SVC_CLOUD_URL', '');
  cloud = await startCloud({ folder: join(home, 'cloud'), port: await findFreePort(), runner, backend });
});
afterEach(async () => {
  await cloud.stop();
  vi.unstubAllEnvs();
});

describe('a cloud inside a program', () => {
  it('trains with the runner and answers with the backend that it was given', async () => {
    const client = await connectCloud({ cwd: home });
    const { dataset } = await client.uploadDataset('rows.jsonl', '{"text":"a row"}\n');
    const config = { model: MODEL, datasetSource: { type: 'upload' as const, datasetId: dataset.id } };
    const { job } = await client.createJob({ name: 'embedded', config });
    await until(async () => (await client.getJob(job.id)).job.status).toBe('completed');
    expect((await client.getJob(job.id)).job).toMatchObject({ step: 1, artifactCount: 1 });
    const answer = await client.chat({ baseModel: MODEL, messages: [{ role: 'user', content: 'Hello' }] });
    expect(JSON.stringify(answer)).toContain('from the program');
    expect(asked).toHaveLength(1);
  });

  it('proves who it is, and ends when it is stopped', async () => {
    const { secret } = JSON.parse(await readFile(join(home, 'cloud', 'cloud.json'), 'utf8'));
    const response = await fetch(`${cloud.url}/v1/cloud?nonce=n`);
    const proof = createHmac('sha256', secret).update('n').digest('hex');
    expect(await response.json()).toMatchObject({ proof });
    await cloud.stop();
    await expect(fetch(`${cloud.url}/v1/cloud`)).rejects.toThrow();
  });
});
