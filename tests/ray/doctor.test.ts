// What svc doctor --ray finds out on a real cluster: its machines run the check, and ask the cloud for a proof.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject, it, onTestFinished } from 'vitest';
import { checkRay, checkRayWorkers } from '../../lib/cloud/index.js';
import { NODES } from './support/shared-cluster.js';

const SECRET = 'the secret of the cloud';

const cluster = inject('cluster');

/** Answers as a cloud does that knows this secret. */
async function startCloud(secret: string): Promise<string> {
  const server = createServer((request, response) => {
    const nonce = new URL(request.url!, 'http://cloud').searchParams.get('nonce')!;
    response.end(JSON.stringify({ proof: createHmac('sha256', secret).update(nonce).digest('hex') }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('finds what a real cluster offers', async () => {
  const { findings, obstacle } = await checkRay(cluster);
  expect(obstacle).toBeNull();
  expect(findings).toMatchObject([
    { name: 'ray', status: 'ok', message: expect.stringMatching(/^Ray 2\.\d+/) },
    {
      name: 'ray-nodes',
      status: 'ok',
      message: expect.stringContaining(`${NODES + 1} nodes, ${NODES} CPUs`),
    },
  ]);
});

it('runs on every machine that can train, and proves that each reaches the cloud', async () => {
  const url = await startCloud(SECRET);
  const serve = { url: cluster.url, replicas: { min: 1, max: 1 }, cpus: 1 };
  const findings = await checkRayWorkers({ ...cluster, serve }, { url, secret: SECRET });
  expect(findings).toMatchObject([
    {
      name: 'ray-workers',
      status: 'ok',
      message: expect.stringContaining(`${NODES} machines checked: Python 3.`),
    },
    { name: 'ray-engines', status: 'ok', message: expect.stringMatching(/Node \d+.*PyTorch 2\./) },
    { name: 'ray-gpus', status: 'ok' },
    { name: 'ray-serve', status: 'ok' },
    { name: 'ray-cloud', status: 'ok' },
  ]);
});

it('tells a cloud that nobody reaches from another program at its address', async () => {
  const [nobody] = await checkRayWorkers(cluster, { url: 'http://127.0.0.1:9', secret: SECRET }).then(found =>
    found.filter(({ name }) => name === 'ray-cloud'),
  );
  expect(nobody).toMatchObject({ status: 'problem', message: expect.stringContaining('refused') });
  const [other] = await checkRayWorkers(cluster, { url: await startCloud('another'), secret: SECRET }).then(
    found => found.filter(({ name }) => name === 'ray-cloud'),
  );
  expect(other).toMatchObject({ status: 'problem', message: expect.stringContaining('another program') });
});
