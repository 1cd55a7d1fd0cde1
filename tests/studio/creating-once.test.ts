// Creating endpoints and keys once, and not for a page that has disconnected.
import { request, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillPath, STUDIO_TOKEN_HEADER, studioAddresses } from '../../lib/contract/index.js';
import { type Listening, listen } from '../../lib/http/index.js';
import { until } from '../support/until.js';
import { openStudio, sampleDeployment, type TestStudio, TOKEN } from './open-studio.js';

const KEY = {
  id: 'key-1',
  label: 'ci',
  prefix: 'svc_live_abc',
  enabled: true,
  createdAt: '2025-01-01T00:00:00.000Z',
  lastUsedAt: null,
};
const BODIES = {
  createDeployment: { slug: 'triage', target: { kind: 'base_model', baseModel: 'svc/tiny' } },
  issueDeploymentKey: { label: 'ci' },
};

let test: TestStudio;
beforeEach(async () => {
  test = await openStudio({
    createDeployment: () => ({ deployment: sampleDeployment() }),
    issueDeploymentKey: () => ({ key: { ...KEY, plaintext: 'svc_live_secret' } }),
    revokeDeploymentKey: () => ({ key: { ...KEY, enabled: false } }),
  });
  await test.beKnown();
  await test.writeState();
});
afterEach(() => test.close());

describe('the Idempotency-Key', () => {
  it.each(['createDeployment', 'issueDeploymentKey'] as const)(
    'is passed on to the cloud: %s',
    async name => {
      const { method, path } = studioAddresses[name];
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'mine' };
      const body = JSON.stringify(BODIES[name]);
      const response = await test.call(fillPath(path, { id: 'd-1' }), { method, headers, body });
      expect(response.ok).toBe(true);
      expect(test.cloud.requests.at(-1)!.headers.get('idempotency-key')).toBe('mine');
    },
  );

  it('is generated when the request has none', async () => {
    await test.json('POST', '/api/deployments', BODIES.createDeployment);
    expect(test.cloud.requests.at(-1)!.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a deployment key issued for a page', () => {
  const path = '/api/deployments/d-1/keys';

  function issue(server: Listening) {
    const headers = { 'content-type': 'application/json', [STUDIO_TOKEN_HEADER]: TOKEN };
    const asking = request({ host: '127.0.0.1', port: server.port, method: 'POST', path, headers });
    asking.on('error', () => {}).end('{"label":"ci"}');
    return asking;
  }

  it('is revoked when the page disconnects before the response', async () => {
    const lose = async (given: Request) => {
      const response = await test.studio.fetch(given);
      (given as Request & { runtime: { node: { res: ServerResponse } } }).runtime.node.res.destroy();
      return response;
    };
    const server = await listen({ fetch: lose }, { ports: [0] });
    issue(server);
    await until(() => test.cloud.calls.at(-1)).toBe('DELETE /v1/endpoints/d-1/keys/key-1');
    await server.close();
  });

  it('has its request to the cloud aborted when the page disconnects', async () => {
    let asked: Request | undefined;
    const other = await openStudio({
      issueDeploymentKey: ({ request: given }: { request: Request }) => {
        asked = given;
        return new Promise((_, reject) => given.signal.addEventListener('abort', () => reject(new Error())));
      },
    });
    await other.beKnown();
    await other.writeState();
    const server = await listen(other.studio, { ports: [0] });
    const asking = issue(server);
    await until(() => asked !== undefined).toBe(true);
    asking.destroy();
    await until(() => asked!.signal.aborted).toBe(true);
    await server.close();
    await other.close();
  });
});
