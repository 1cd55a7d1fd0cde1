// The routes that create something, each called twice with one key, as a client that lost the first response does.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnonymousIdentity, Job } from '../../../lib/contract/index.js';
import { answerOf, type MemoryCloud, openMemoryCloud, refusalOf, SECRET } from '../host/memory-cloud.js';

type Caller = Awaited<ReturnType<MemoryCloud['signUpFor']>>;

let memory: MemoryCloud;
let me: Caller;
beforeEach(async () => {
  memory = await openMemoryCloud();
  me = await memory.signUpFor('app');
});
afterEach(() => memory.close());

const key = '7d0f0f0e-6b7a-4c2e-9a55-3f1f4a3f9f10';

function post(path: string, json: unknown, idempotencyKey = key, who = me): Promise<Response> {
  const headers = { authorization: `Bearer ${who.token}`, 'idempotency-key': idempotencyKey };
  return memory.call(at(path, who), { method: 'POST', json, headers });
}

const at = (path: string, { scope } = me) => `${path}?${new URLSearchParams({ ...scope })}`;
const config = { model: 'test/model', datasetSource: { type: 'huggingface', name: 'some/rows' } };
const endpoint = { slug: 'bot', target: { kind: 'base_model', baseModel: 'test/model' } };

describe.each([
  ['/v1/projects', { name: 'Other', slug: 'other' }, { slug: 'third' }, 2],
  ['/v1/jobs', { name: 'a', config }, { name: 'b' }, 1],
  ['/v1/endpoints', endpoint, { authMode: 'none' }, 1],
])('POST %s', (path, body, change, count) => {
  it('returns the same response for the same key and creates nothing new', async () => {
    const [first, again] = [await post(path, body), await post(path, body)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    const headers = { authorization: `Bearer ${me.token}` };
    const list = await answerOf<Record<string, unknown[]>>(memory.call(at(path), { headers }));
    expect(Object.values(list)[0]).toHaveLength(count);
  });

  it('answers 409 for another body with the same key', async () => {
    await post(path, body);
    const mismatch = { status: 409, code: 'idempotency_mismatch', param: 'idempotency-key' };
    expect(await refusalOf(await post(path, { ...body, ...change }))).toMatchObject(mismatch);
  });

  it('treats the same key of another user as a new request', async () => {
    await post(path, body);
    const response = await post(path, body, key, await memory.signUpFor('app'));
    // Slugs of endpoints are unique among all users.
    if (path === '/v1/endpoints') expect(await refusalOf(response)).toMatchObject({ code: 'slug_taken' });
    else expect(response.status).toBe(201);
  });

  it.each(['', 'a b', 'é', 'x'.repeat(256)])('rejects an invalid key: %j', async bad => {
    const invalid = { status: 400, code: 'invalid_value', param: 'idempotency-key' };
    expect(await refusalOf(await post(path, body, bad))).toMatchObject(invalid);
  });
});

it('a repeated request for a job returns the same job without its secret', async () => {
  const datasetSource = { type: 'blob', url: 'https://example.com/rows.jsonl', token: 'tok-3cr3t' };
  const body = { name: 'a', config: { ...config, datasetSource } };
  const [first, again] = [await post('/v1/jobs', body), await post('/v1/jobs', body)];
  const { job } = await answerOf<{ job: Job }>(again);
  expect({ job }).toEqual(await first.json());
  expect(JSON.stringify(job)).not.toContain('tok-3cr3t');
});

describe('an anonymous sign-up', () => {
  const signUpWith = (idempotencyKey: string) => {
    const headers = { 'x-svc-cloud-secret': SECRET, 'idempotency-key': idempotencyKey };
    return memory.call('/v1/auth/anonymous', { method: 'POST', json: { kind: 'cli' }, headers });
  };
  const statusOf = async (token: string) =>
    (await memory.call('/v1/me', { headers: { authorization: `Bearer ${token}` } })).status;

  it('returns the same identity with a new token when repeated, and revokes the first token', async () => {
    const first = await answerOf<AnonymousIdentity>(signUpWith(key));
    const again = await answerOf<AnonymousIdentity>(signUpWith(key));
    expect(again).toEqual({ ...first, token: again.token });
    expect([await statusOf(first.token), await statusOf(again.token)]).toEqual([401, 200]);
  });

  it('cannot be repeated once its identity has been used', async () => {
    const { token, personalOrg } = await answerOf<AnonymousIdentity>(signUpWith(key));
    await memory.client(token).createProject(personalOrg.slug, { name: 'App', slug: 'app' });
    const mismatch = { status: 409, code: 'idempotency_mismatch' };
    expect(await refusalOf(await signUpWith(key))).toMatchObject(mismatch);
    expect(await statusOf(token)).toBe(200);
  });

  it('rejects a key that is easy to guess', async () => {
    expect(await refusalOf(await signUpWith('1'))).toMatchObject({ status: 400, code: 'invalid_value' });
  });
});
