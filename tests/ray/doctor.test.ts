// What svc doctor --ray finds out on a real cluster: its machines run the check, and ask the cloud for a proof.

import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, inject, it } from 'vitest';
import { checkRay, checkRayWorkers } from '../../lib/cloud/index.js';
import { listening } from '../support/listening.js';
import { NODES } from './support/shared-cluster.js';

const SECRET = 'the secret of the cloud';

const cluster = inject('cluster');

/** Answers as a cloud does that knows this secret. */
async function startCloud(secret: string): Promise<string> {
  const server = createServer((request, response) => {
    const nonce = new URL(request.url!, 'http://cloud').searchParams.get('nonce')!;
    response.end(JSON.stringify({ proof: createHmac('sha256', secret).update(nonce).digest('hex') }));
  });
  return listening(server);
}

it('finds what a real cluster offers', async () => {
  const { findings, obstacle } = await checkRay(cluster);
  expect(obstacle).toBeNull();
  const nodes = expect.stringContaining(`${NODES + 1} nodes, ${NODES} CPUs`);
  expect(findings).toMatchObject([
    { name: 'ray', status: 'ok', message: expect.stringMatching(/^Ray 2\.\d+/) },
    { name: 'ray-nodes', status: 'ok', message: nodes },
  ]);
});

it('runs on every machine that can train, and proves that each reaches the cloud', async () => {
  const url = await startCloud(SECRET);
  const serve = { url: cluster.url, replicas: { min: 1, max: 1 }, cpus: 1 };
  const findings = await checkRayWorkers({ ...cluster, serve }, { url, secret: SECRET });
  const checked = expect.stringContaining(`${NODES} machines checked: Python 3.`);
  expect(findings).toMatchObject([
    { name: 'ray-workers', status: 'ok', message: checked },
    { name: 'ray-engines', status: 'ok', message: expect.stringMatching(/Node \d+.*PyTorch 2\./) },
    { name: 'ray-gpus', status: 'ok' },
    { name: 'ray-serve', status: 'ok' },
    { name: 'ray-cloud', status: 'ok' },
  ]);
});

// Before every change, the tests of the Python package say why a cloud cannot be reached, and `tests/cloud/ray/check.test.ts`
// what is said of that.
it('tells a cloud that nobody reaches from another program at its address', { tags: ['long'] }, async () => {
  const lookAt = async (url: string) => {
    const findings = await checkRayWorkers(cluster, { url, secret: SECRET });
    return findings.find(({ name }) => name === 'ray-cloud');
  };
  const problem = (words: string) => ({ status: 'problem', message: expect.stringContaining(words) });
  expect(await lookAt('http://127.0.0.1:9')).toMatchObject(problem('refused'));
  expect(await lookAt(await startCloud('another'))).toMatchObject(problem('another program'));
});
