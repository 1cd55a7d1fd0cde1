// The routes that create something, each called twice with one key, as a client that lost the first response does.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnonymousIdentity, Job } from '../../../lib/contract/index.js';
import { answerOf, type MemoryCloud, openMemoryCloud, refusalOf, SECRET } from '../serve/memory-cloud.js';

let memory: MemoryCloud;
let me: AnonymousIdentity;
let scope: string;
const key = '7d0f0f0e-6b7a-4c2e-9a55-3f1f4a3f9f10';
beforeEach(async () => {
  memory = await openMemoryCloud();
  me = await memory.signUp();
  await memory.client(me.token).createProject(me.personalOrg.slug, { name: 'App', slug: 'app' });
  scope = `?orgSlug=${me.personalOrg.slug}&projectSlug=app`;
});
afterEach(() => memory.close());

function post(path: string, json: unknown, idempotencyKey = key, token = me.token): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': idempotencyKey };
  return memory.call(path, { method: 'POST', json, headers });
}

const datasetSource = { type: 'huggingface', name: 'some/rows' };
const requests = (): [string, unknown, unknown][] => [
  ['/v1/projects', { name: 'Other', slug: 'other' }, { name: 'Other', slug: 'third' }],
  [
    '/v1/jobs',
    { name: 'a', config: { model: 'test/model', datasetSource } },
    { name: 'b', config: { model: 'test/model', datasetSource } },
  ],
  [
    '/v1/endpoints',
    { slug: 'bot', target: { kind: 'base_model', baseModel: 'test/model' } },
    { slug: 'bot', target: { kind: 'base_model', baseModel: 'test/model' }, authMode: 'none' },
  ],
];

describe.each(['/v1/projects', '/v1/jobs', '/v1/endpoints'])('POST %s', path => {
  const [, body, other] = requests().find(([known]) => known === path)!;

  it('returns the same response for the same key and creates nothing new', async () => {
    const first = await post(path + scope, body);
    const again = await post(path + scope, body);
    expect([first.status, again.status]).toEqual([201, 201]);
    const created = await first.json();
    expect(await again.json()).toEqual(created);
    const list = await answerOf<Record<string, unknown[]>>(
      memory.call(path + scope, { headers: { authorization: `Bearer ${me.token}` } }),
    );
    expect(Object.values(list)[0]).toHaveLength(path === '/v1/projects' ? 2 : 1);
  });

  it('answers 409 for another body with the same key', async () => {
    await post(path + scope, body);
    expect(await refusalOf(await post(path + scope, other))).toMatchObject({
      status: 409,
      code: 'idempotency_mismatch',
      param: 'idempotency-key',
    });
  });

  it('treats the same key of another user as a new request', async () => {
    await post(path + scope, body);
    const other = await memory.signUp();
    await memory.client(other.token).createProject(other.personalOrg.slug, { name: 'App', slug: 'app' });
    const theirs = `?orgSlug=${other.personalOrg.slug}&projectSlug=app`;
    const response = await post(path + theirs, body, key, other.token);
    expect([201, 409]).toContain(response.status);
    if (response.status === 409) expect(await refusalOf(response)).toMatchObject({ code: 'slug_taken' });
  });

  it.each(['', 'a b', 'é', 'x'.repeat(256)])('rejects an invalid key: %j', async bad => {
    expect(await refusalOf(await post(path + scope, body, bad))).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'idempotency-key',
    });
  });
});

it('a repeated request for a job returns the same job without its secret', async () => {
  const source = { type: 'blob', url: 'https://example.com/rows.jsonl', token: 'tok-3cr3t' };
  const body = { name: 'a', config: { model: 'test/model', datasetSource: source } };
  const first = await answerOf<{ job: Job }>(post(`/v1/jobs${scope}`, body));
  const again = await answerOf<{ job: Job }>(post(`/v1/jobs${scope}`, body));
  expect(again.job).toEqual(first.job);
  expect(JSON.stringify(again)).not.toContain('tok-3cr3t');
});

describe('an anonymous sign-up', () => {
  const signUp = (idempotencyKey: string) =>
    memory.call('/v1/auth/anonymous', {
      method: 'POST',
      json: { kind: 'cli' },
      headers: { 'x-svc-cloud-secret': SECRET, 'idempotency-key': idempotencyKey },
    });
  const meWith = (token: string) =>
    memory.call('/v1/me', { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

  it('returns the same identity with a new token when repeated, and revokes the first token', async () => {
    const first = await answerOf<AnonymousIdentity>(signUp(key));
    const again = await answerOf<AnonymousIdentity>(signUp(key));
    expect(again).toEqual({ ...first, token: again.token });
    expect([await meWith(first.token), await meWith(again.token)]).toEqual([401, 200]);
  });

  it('cannot be repeated once its identity has been used', async () => {
    const first = await answerOf<AnonymousIdentity>(signUp(key));
    await memory.client(first.token).createProject(first.personalOrg.slug, { name: 'App', slug: 'app' });
    expect(await refusalOf(await signUp(key))).toMatchObject({ status: 409, code: 'idempotency_mismatch' });
    expect(await meWith(first.token)).toBe(200);
  });

  it('rejects a key that is easy to guess', async () => {
    expect(await refusalOf(await signUp('1'))).toMatchObject({ status: 400, code: 'invalid_value' });
  });
});
