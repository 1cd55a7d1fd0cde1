// Keys whose plaintext nobody received: the client disconnects before the response, or retries.
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Deployment, Key } from '../../../lib/contract/index.js';
import { type Listening, listen } from '../../../lib/http/index.js';
import { until } from '../../support/until.js';
import { BASE_MODEL, openSampleCloud, type SampleCloud } from './sample-cloud.js';

let cloud: SampleCloud;
let demo: Deployment;
beforeEach(async () => {
  cloud = await openSampleCloud();
  demo = await cloud.publish({ slug: 'demo', target: { kind: 'base_model', baseModel: BASE_MODEL } });
});
afterEach(() => cloud.close());

const stored = () =>
  cloud.db.selectFrom('keys').select(['id', 'label', 'enabled']).orderBy('number').execute();

async function issue(idempotencyKey: string, label = 'ci') {
  const headers = { 'idempotency-key': idempotencyKey };
  const response = await cloud.call('POST', `/${demo.id}/keys`, { label }, 'alpha/one', headers);
  const { key, error } = (await response.json()) as {
    key: Key & { plaintext: string };
    error: { code: string; param: string };
  };
  return { status: response.status, headers: response.headers, key, error };
}

describe('a key', () => {
  let server: Listening;
  let received: Request[];
  let answered: Promise<unknown>[];
  beforeEach(async () => {
    received = [];
    answered = [];
    const fetch = (given: Request) => {
      received.push(given);
      const answer = cloud.fetch(given);
      answered.push(Promise.resolve(answer).catch(() => {}));
      return answer;
    };
    server = await listen({ fetch }, { ports: [0] });
  });
  afterEach(() => server.close());

  it('is withdrawn when the client disconnects before the response, and can be requested again', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'a' };
    const path = `/v1/endpoints/${demo.id}/keys?orgSlug=alpha&projectSlug=one`;
    const asking = request({ host: '127.0.0.1', port: server.port, method: 'POST', path, headers });
    asking.on('error', () => {});
    const now = vi.spyOn(cloud.clock, 'now');
    // The transaction blocks other writes, so the client disconnects while the key waits to be stored.
    await cloud.db.transaction().execute(async () => {
      asking.end('{"label":"ci"}');
      await until(() => now.mock.calls.length).toBeGreaterThan(0);
      asking.destroy();
      await until(() => received[0]!.signal.aborted).toBe(true);
    });
    await answered[0];
    await until(stored).toEqual([]);
    expect((await issue('a')).status).toBe(201);
    expect(await stored()).toMatchObject([{ enabled: 1 }]);
  });
});

describe('a key requested again with the same Idempotency-Key', () => {
  it('is a new key, and the earlier unused one is revoked', async () => {
    const first = await issue('a');
    const second = await issue('a');
    expect(second.status).toBe(201);
    expect(second.key.plaintext).not.toBe(first.key.plaintext);
    expect(await stored()).toEqual([
      { id: first.key.id, label: 'ci', enabled: 0 },
      { id: second.key.id, label: 'ci', enabled: 1 },
    ]);
    const third = await issue('a');
    expect((await stored()).map(({ enabled }) => enabled)).toEqual([0, 0, 1]);
    expect((await stored())[2]!.id).toBe(third.key.id);
  });

  it('is refused once the earlier key has been used', async () => {
    const { key } = await issue('a');
    await cloud.db.updateTable('keys').set({ last_used_at: '2026-03-01T10:00:00.000Z' }).execute();
    const again = await issue('a');
    expect(again).toMatchObject({ status: 409, error: { code: 'idempotency_mismatch' } });
    expect(again.headers.get('x-should-retry')).toBe('false');
    expect(await stored()).toEqual([{ id: key.id, label: 'ci', enabled: 1 }]);
  });

  it('is refused with another label', async () => {
    await issue('a', 'one');
    expect(await issue('a', 'two')).toMatchObject({
      status: 409,
      error: { code: 'idempotency_mismatch', param: 'idempotency-key' },
    });
    expect(await stored()).toMatchObject([{ label: 'one', enabled: 1 }]);
  });

  it('leaves no plaintext in the database', async () => {
    const { key } = await issue('a');
    const notes = await cloud.db.selectFrom('idempotency_keys').selectAll().execute();
    expect(JSON.stringify(notes)).not.toContain(key.plaintext.slice(12));
  });
});
