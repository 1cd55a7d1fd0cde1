// What scripts do with endpoints, through the client, against a whole cloud.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CloudClient } from '../../../lib/client/index.js';
import { openSampleInput, type SampleInput } from '../wrong-input/sample.js';

let sample: SampleInput;
let client: CloudClient;
beforeEach(async () => {
  sample = await openSampleInput();
  client = sample.memory.client(sample.own.token, sample.own.scope);
});
afterEach(() => sample.close());

const base = { kind: 'base_model', baseModel: 'test/model' } as const;

function chat(slug: string, key?: string): Promise<Response> {
  return sample.memory.call(`/d/${slug}/v1/chat/completions`, {
    method: 'POST',
    json: { messages: [{ role: 'user', content: 'hi' }] },
    ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
  });
}

const servedBy = async (slug: string, key: string) =>
  ((await (await chat(slug, key)).json()) as { system_fingerprint: string }).system_fingerprint;

describe('an endpoint managed by a script', () => {
  it('serves a new target at the same URL with the same keys', async () => {
    const { doneJob: jobId, deployment: id } = sample.own;
    const { key } = await client.issueDeploymentKey(id, 'script');
    const seen = new Set<string>([await servedBy('own-bot', key.plaintext)]);
    const checkpoint = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step: 5 } } as const;
    for (const target of [checkpoint, base]) {
      const { deployment } = await client.updateDeployment(id, { target });
      expect(deployment).toMatchObject({ id, slug: 'own-bot', target });
      expect((await client.getDeployment(id)).deployment).toEqual(deployment);
      seen.add(await servedBy('own-bot', key.plaintext));
    }
    expect(seen.size).toBe(3);
  });

  const flip = async (file: string) =>
    writeFile(
      file,
      (await readFile(file)).map(byte => byte ^ 1),
    );
  const damages: [string, (file: string) => Promise<void>][] = [
    ['are missing', file => rm(file)],
    ['have changed', flip],
  ];
  it.each(damages)('reports a damaged adapter when its files %s', async (_, spoil) => {
    const { doneJob: jobId, deployment: id } = sample.own;
    const { key } = await client.issueDeploymentKey(id, 'script');
    expect((await client.getDeployment(id)).deployment.problem).toBeNull();
    await spoil(join(sample.folder, 'jobs', jobId, 'adapters', 'final', 'adapter_model.safetensors'));
    const response = await chat('own-bot', key.plaintext);
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([503, 'false']);
    expect(await response.json()).toMatchObject({ error: { code: 'adapter_damaged' } });
    const { deployments } = await client.listDeployments();
    expect(deployments.find(listed => listed.id === id)?.problem).toMatch(/damaged or missing/);
  });

  it('offers more to web pages too, while the API of the cloud stays closed to them', async () => {
    const page = 'https://app.example.com';
    const offer = { operations: ['models' as const], corsOrigins: [page] };
    const made = await client.createDeployment({ slug: 'wide', target: base, authMode: 'none', ...offer });
    expect(made.deployment.operations).toEqual(['chat', 'models']);
    const headers = { origin: page, 'sec-fetch-site': 'cross-site' };
    const ask = (path: string) => sample.memory.call(path, { headers });
    const models = await ask('/d/wide/v1/models');
    expect([models.status, models.headers.get('access-control-allow-origin')]).toEqual([200, page]);
    expect(await models.json()).toMatchObject({ data: [{ id: 'test/model' }] });
    for (const path of ['/v1/me', '/openai/v1/models', '/d/own-bot/v1/models']) {
      const refused = await ask(path);
      expect([refused.ok, refused.headers.get('access-control-allow-origin')]).toEqual([false, null]);
    }
    await client.updateDeployment(made.deployment.id, { operations: [], corsOrigins: [] });
    expect((await ask('/d/wide/v1/models')).status).toBe(404);
  });
});

describe('the key of an endpoint', () => {
  it('is not stored, logged or returned again after it was issued', async () => {
    const { key } = await client.issueDeploymentKey(sample.own.deployment, 'script');
    await chat('own-bot', key.plaintext);
    const secret = key.plaintext.slice(key.prefix.length);
    const answers = [
      await client.listDeploymentKeys(sample.own.deployment),
      await client.getDeployment(sample.own.deployment),
      await client.revokeDeploymentKey(sample.own.deployment, key.id),
    ];
    expect(JSON.stringify([answers, sample.memory.logged])).not.toContain(secret);
    for (const file of await readdir(sample.folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toContain(secret);
  });
});
