// The keys of a deployment, and those whose plaintext nobody received: the client disconnects before it, or asks again.
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseKey } from '../../../lib/cloud/keys/key-text.js';
import { type Deployment, issuedKey, key as keyShape } from '../../../lib/contract/index.js';
import { listen } from '../../../lib/http/index.js';
import { until } from '../../support/until.js';
import { BASE_MODEL, openSampleCloud, type SampleCloud } from './sample-cloud.js';

let cloud: SampleCloud;
let demo: Deployment;
beforeEach(async () => {
  cloud = await openSampleCloud();
  demo = await cloud.publish({ slug: 'demo', target: { kind: 'base_model', baseModel: BASE_MODEL } });
});
afterEach(() => cloud.close());

const listKeys = async () => (await cloud.ask('GET', `/${demo.id}/keys`)).keys;
const stored = () =>
  cloud.db.selectFrom('keys').select(['id', 'label', 'enabled']).orderBy('number').execute();

describe('a key', () => {
  it('is returned in plain text once when it is issued, and only its digest is stored', async () => {
    const { status, key } = await cloud.ask('POST', `/${demo.id}/keys`, { label: '  ci  ' });
    expect(status).toBe(201);
    expect(issuedKey.parse(key)).toEqual(key);
    expect(parseKey(key.plaintext)).toEqual({ plaintext: key.plaintext, prefix: key.prefix });
    expect(key).toMatchObject({ label: 'ci', enabled: true, lastUsedAt: null });
    const rows = await cloud.db.selectFrom('keys').selectAll().execute();
    expect(rows[0]!.hash).toBe(createHash('sha256').update(key.plaintext).digest('hex'));
    expect(JSON.stringify([rows, await listKeys()])).not.toContain(key.plaintext.slice(12));
  });

  it('is listed in the order of creation, also after it is revoked, which can be done again', async () => {
    for (const label of ['one', 'two', 'three']) await cloud.issue(demo, label);
    const keys = await listKeys();
    expect(keys.map(({ label }) => label)).toEqual(['one', 'two', 'three']);
    expect(keys.map(entry => keyShape.parse(entry))).toEqual(keys);
    const { id } = keys[0]!;
    for (let i = 0; i < 2; i++) {
      const { status, key } = await cloud.ask('DELETE', `/${demo.id}/keys/${id}`);
      expect([status, key]).toEqual([200, expect.objectContaining({ id, enabled: false })]);
    }
    expect((await listKeys()).map(({ enabled }) => enabled)).toEqual([false, true, true]);
  });

  it('of another deployment answers 404', async () => {
    const other = await cloud.publish({ slug: 'other', target: demo.target });
    const { id } = await cloud.issue(other);
    const refused = await cloud.ask('DELETE', `/${demo.id}/keys/${id}`);
    expect(refused).toMatchObject({ status: 404, code: 'key_not_found' });
    expect(await stored()).toMatchObject([{ enabled: 1 }]);
  });

  it('is kept when the auth mode changes', async () => {
    const issued = await cloud.issue(demo);
    for (const authMode of ['none', 'fixed_api_key']) await cloud.call('PATCH', `/${demo.id}`, { authMode });
    expect(await listKeys()).toMatchObject([{ id: issued.id, enabled: true }]);
  });

  const BAD_LABELS = [{}, { label: '' }, { label: '  ' }, { label: 'x'.repeat(81) }];

  it.each(BAD_LABELS)('requires a valid label: %j', async body => {
    const refused = await cloud.ask('POST', `/${demo.id}/keys`, body);
    expect(refused).toMatchObject({ status: 400, code: 'invalid_value', param: 'label' });
  });
});

describe('a key requested with an Idempotency-Key', () => {
  const issue = (idempotencyKey: string, label = 'ci') =>
    cloud.ask('POST', `/${demo.id}/keys`, { label }, 'alpha/one', { 'idempotency-key': idempotencyKey });

  it('is withdrawn when the client disconnects before the response, and can be requested again', async () => {
    let received: Request | undefined;
    let answered: Promise<unknown> | undefined;
    const fetch = (given: Request) => {
      received = given;
      const answer = cloud.fetch(given);
      answered = answer.catch(() => {});
      return answer;
    };
    const server = await listen({ fetch }, { ports: [0] });
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
      await until(() => received!.signal.aborted).toBe(true);
    });
    await answered;
    await until(stored).toEqual([]);
    expect((await issue('a')).status).toBe(201);
    expect(await stored()).toMatchObject([{ enabled: 1 }]);
    await server.close();
  });

  it('is a new key when it is asked for again, and the earlier unused one is revoked', async () => {
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
    expect(await issue('a')).toMatchObject({ status: 409, code: 'idempotency_mismatch', retry: 'false' });
    expect(await stored()).toEqual([{ id: key.id, label: 'ci', enabled: 1 }]);
  });

  it('is refused with another label, and leaves no plaintext in the database', async () => {
    const { key } = await issue('a', 'one');
    const refusal = { status: 409, code: 'idempotency_mismatch', param: 'idempotency-key' };
    expect(await issue('a', 'two')).toMatchObject(refusal);
    expect(await stored()).toMatchObject([{ label: 'one', enabled: 1 }]);
    const notes = await cloud.db.selectFrom('idempotency_keys').selectAll().execute();
    expect(JSON.stringify(notes)).not.toContain(key.plaintext.slice(12));
  });
});
