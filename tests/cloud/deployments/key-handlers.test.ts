import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Deployment,
  issuedKey,
  type Key,
  key as keyShape,
  parseKey,
} from '../../../lib/contract/index.js';
import { BASE_MODEL, openSampleCloud, type SampleCloud } from './sample-cloud.js';

let cloud: SampleCloud;
let demo: Deployment;
beforeEach(async () => {
  cloud = await openSampleCloud();
  demo = await cloud.publish({ slug: 'demo', target: { kind: 'base_model', baseModel: BASE_MODEL } });
});
afterEach(() => cloud.close());

async function listKeys(): Promise<Key[]> {
  return ((await (await cloud.call('GET', `/${demo.id}/keys`)).json()) as { keys: Key[] }).keys;
}

describe('a key', () => {
  it('is returned in plain text once when it is issued, and only its digest is stored', async () => {
    const response = await cloud.call('POST', `/${demo.id}/keys`, { label: '  ci  ' });
    expect(response.status).toBe(201);
    const { key } = (await response.json()) as { key: Key & { plaintext: string } };
    expect(issuedKey.parse(key)).toEqual(key);
    expect(parseKey(key.plaintext)).toEqual({ plaintext: key.plaintext, prefix: key.prefix });
    expect(key).toMatchObject({ label: 'ci', enabled: true, lastUsedAt: null });

    const stored = await cloud.db.selectFrom('keys').selectAll().execute();
    expect(stored[0]!.hash).toBe(createHash('sha256').update(key.plaintext).digest('hex'));
    expect(JSON.stringify(stored)).not.toContain(key.plaintext.slice(12));
    expect(JSON.stringify(await listKeys())).not.toContain(key.plaintext.slice(12));
  });

  it('is listed in the order of creation', async () => {
    for (const label of ['one', 'two', 'three']) await cloud.issue(demo, label);
    const keys = await listKeys();
    expect(keys.map(({ label }) => label)).toEqual(['one', 'two', 'three']);
    expect(keys.map(entry => keyShape.parse(entry))).toEqual(keys);
  });

  it('stays listed after it is revoked, and can be revoked again', async () => {
    const [first, second] = [await cloud.issue(demo, 'one'), await cloud.issue(demo, 'two')];
    for (let i = 0; i < 2; i++) {
      const response = await cloud.call('DELETE', `/${demo.id}/keys/${first.id}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ key: { id: first.id, enabled: false } });
    }
    expect((await listKeys()).map(({ id, enabled }) => [id, enabled])).toEqual([
      [first.id, false],
      [second.id, true],
    ]);
  });

  it('of another deployment answers 404', async () => {
    const other = await cloud.publish({ slug: 'other', target: demo.target });
    const { id } = await cloud.issue(other);
    const response = await cloud.call('DELETE', `/${demo.id}/keys/${id}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'key_not_found' } });
    expect(await cloud.db.selectFrom('keys').select('enabled').execute()).toEqual([{ enabled: 1 }]);
  });

  it('is kept when the auth mode changes', async () => {
    const issued = await cloud.issue(demo);
    for (const authMode of ['none', 'fixed_api_key']) await cloud.call('PATCH', `/${demo.id}`, { authMode });
    expect(await listKeys()).toMatchObject([{ id: issued.id, enabled: true }]);
  });

  it.each([{}, { label: '' }, { label: '  ' }, { label: 'x'.repeat(81) }])(
    'requires a valid label: %j',
    async body => {
      const response = await cloud.call('POST', `/${demo.id}/keys`, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_value', param: 'label' } });
    },
  );
});
