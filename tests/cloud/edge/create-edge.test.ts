import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatCompletion, type Deployment, errorEnvelope, generateKey } from '../../../lib/contract/index.js';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { end, type ScriptedBackend, saying, scriptedBackend, text } from '../inference/scripted-backend.js';
import { HOST } from '../to-fetch.js';
import { bearer, COMPLETIONS, createSampleEdge } from './sample-edge.js';

const base = { kind: 'base_model', baseModel: BASE_MODEL };

let cloud: SampleCloud;
let backend: ScriptedBackend;
let sample: ReturnType<typeof createSampleEdge>;
let guarded: Deployment;
let open: Deployment;
let key: string;
beforeEach(async () => {
  cloud = await openSampleCloud();
  backend = scriptedBackend(saying(text('Hello'), end(3, 1)));
  sample = createSampleEdge(cloud, backend);
  guarded = await cloud.publish({ slug: 'guarded', target: base });
  key = (await cloud.issue(guarded)).plaintext;
  open = await cloud.publish({ slug: 'open', target: base, authMode: 'none' });
});
afterEach(() => cloud.close());

const change = (body: object) => cloud.call('PATCH', `/${guarded.id}`, body);

/** Sends the same request to the path URL and to the subdomain. */
const bothWays = (slug: string, path: string, { headers, ...init }: RequestInit = {}) =>
  Promise.all([
    sample.fetch(`/d/${slug}${path}`, { ...init, headers: { ...headers } }),
    sample.fetch(path, { ...init, headers: { ...headers, host: `${slug}.${HOST}` } }),
  ]);

async function refusalOf(response: Response) {
  const { error } = errorEnvelope.parse(await response.json());
  return { status: response.status, code: error.code, param: error.param };
}

describe('an endpoint', () => {
  it('answers at its path URL and at its subdomain', async () => {
    const answer = chatCompletion.parse(await (await sample.chat('guarded', {}, bearer(key))).json());
    expect(answer).toMatchObject({ model: BASE_MODEL, choices: [{ message: { content: 'Hello' } }] });
    const headers = { host: 'Guarded.localhost', ...bearer(key) };
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] });
    const response = await sample.fetch(COMPLETIONS, { headers, body });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('ignores requests that are not for a deployment', () => {
    const request = new Request(`http://${HOST}/v1/jobs`, { headers: { host: HOST } });
    expect(sample.edge(request)).toBeNull();
  });

  it('serves its target, whatever model the request names', async () => {
    const target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: jobs.done, step: 10 } };
    await cloud.publish({ slug: 'tuned', target, authMode: 'none' });
    const models = [undefined, 'nonsense', BASE_MODEL, jobs.running, 7, null];
    const answers = await Promise.all(
      models.map(async model => (await (await sample.chat('tuned', { model })).json()) as { model: string }),
    );
    expect(new Set(answers.map(({ model }) => model))).toEqual(
      new Set([`${BASE_MODEL}:${jobs.done}:checkpoint:10`]),
    );
    expect(new Set(backend.tasks.map(({ adapter }) => adapter))).toEqual(new Set([`${jobs.done}-10`]));
  });

  it('identifies callers to the engine by key, and all callers of a public endpoint as one', async () => {
    const second = await cloud.issue(guarded, 'second');
    for (const given of [key, key, second.plaintext]) await sample.chat('guarded', {}, bearer(given));
    for (const given of [key, second.plaintext]) await sample.chat('open', {}, bearer(given));
    const [one, again, other, ...others] = backend.tasks.map(({ caller }) => caller);
    expect([again, others]).toEqual([one, [open.id, open.id]]);
    expect(new Set([one, other, open.id]).size).toBe(3);
  });

  it('ignores unknown keys in messages and their parts', async () => {
    const part = { type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } };
    const messages = [{ role: 'user', content: [part], id: 'm1', metadata: { a: 1 } }];
    expect((await sample.chat('open', { messages })).status).toBe(200);
    expect(backend.tasks.at(-1)!.messages).toEqual([{ role: 'user', content: 'hi' }]);
  });

  it('serves a changed target from the next request on', async () => {
    const fingerprint = async () =>
      ((await (await sample.chat('guarded', {}, bearer(key))).json()) as { system_fingerprint: string })
        .system_fingerprint;
    const before = await fingerprint();
    await change({ target: { kind: 'adapter', adapter: { kind: 'final', jobId: jobs.done } } });
    expect(await fingerprint()).not.toBe(before);
  });

  it('answers 404 while disabled, and accepts the same key at the same URL when enabled again', async () => {
    const status = async () => (await sample.chat('guarded', {}, bearer(key))).status;
    await change({ enabled: false });
    expect(await status()).toBe(404);
    const { deployment } = (await (await change({ enabled: true })).json()) as { deployment: Deployment };
    expect(deployment).toEqual({ ...guarded, updatedAt: deployment.updatedAt });
    expect(await status()).toBe(200);
  });

  it('answers model_not_supported when the cloud has another base model', async () => {
    await cloud.db.updateTable('deployments').set({ target_model: 'svc/old' }).execute();
    expect(await refusalOf(await sample.chat('open'))).toEqual({
      status: 400,
      code: 'model_not_supported',
      param: null,
    });
  });
});

describe('the order of the checks', () => {
  const wrongs: [what: string, path: string, init: RequestInit][] = [
    ['a good request', COMPLETIONS, { body: '{}' }],
    ['another path', '/v1/models', { method: 'GET' }],
    ['a URL that does not decode', '/%zz', { method: 'GET' }],
    ['another method', COMPLETIONS, { method: 'GET' }],
    ['an invalid body', COMPLETIONS, { body: '{' }],
  ];

  it.each(wrongs)('starts with the deployment: %s', async (_, path, init) => {
    await change({ enabled: false });
    await cloud.call('PATCH', `/${open.id}`, { enabled: false });
    const answers = (
      await Promise.all(
        ['guarded', 'open', 'nobody'].flatMap(slug =>
          [{}, bearer(key)].map(headers => bothWays(slug, path, { ...init, headers })),
        ),
      )
    ).flat();
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(404));
    const seen = answers.map(({ headers }) => {
      const { 'x-request-id': id, ...rest } = Object.fromEntries(headers);
      expect(id).toBeTruthy();
      return JSON.stringify(rest);
    });
    expect(new Set(seen).size).toBe(1);
    const texts = new Set(await Promise.all(answers.map(answer => answer.text())));
    expect([...texts]).toEqual([expect.stringContaining('"deployment_not_found"')]);
  });

  it.each([
    ['GET', '/v1/models'],
    ['POST', '/v1/completions'],
    ['POST', '/v1/embeddings'],
    ['POST', '/v1/responses'],
    ['GET', '/v1/jobs'],
    ['POST', '/v1/auth/anonymous'],
    ['GET', '/healthz'],
    ['POST', '/chat/completions'],
    ['POST', '/v1/chat/completions/chat/completions'],
    ['POST', '/'],
    ['POST', ''],
    ['GET', '/%zz'],
  ])('then checks the path, which must be the only one offered: %s %s', async (method, path) => {
    for (const response of await bothWays('guarded', path, { method, headers: bearer(key) }))
      expect(await refusalOf(response)).toMatchObject({ status: 404, code: 'unknown_url' });
  });

  it('does not normalize paths', async () => {
    const response = await sample.fetch('/d/guarded//v1/chat/completions', { headers: bearer(key) });
    expect(await refusalOf(response)).toMatchObject({ status: 404, code: 'unknown_url' });
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('then checks the method: %s', async method => {
    const response = await sample.fetch(`/d/guarded${COMPLETIONS}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('then checks the key, before the body', async () => {
    const response = await sample.fetch(`/d/guarded${COMPLETIONS}`, {
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await refusalOf(response)).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it.each([
    [{}, 'messages'],
    [{ messages: [{ role: 'user', content: 'x' }], n: 5 }, 'n'],
  ])('checks the body last: %j', async (body, param) => {
    const response = await sample.fetch(`/d/guarded${COMPLETIONS}`, {
      body: JSON.stringify(body),
      headers: bearer(key),
    });
    expect(await refusalOf(response)).toEqual({ status: 400, code: 'invalid_value', param });
    expect(backend.tasks).toHaveLength(0);
  });
});

describe('the key', () => {
  const statusWith = async (headers: Record<string, string>) =>
    (await sample.chat('guarded', {}, headers)).status;

  it('is accepted as a bearer token or in x-api-key, if either is valid', async () => {
    expect(await statusWith(bearer(key))).toBe(200);
    expect(await statusWith({ authorization: `bearer  ${key}` })).toBe(200);
    expect(await statusWith({ 'x-api-key': key })).toBe(200);
    expect(await statusWith({ 'x-api-key': key, ...bearer('not-required') })).toBe(200);
  });

  it('is refused when it is missing, malformed, unknown or in another header', async () => {
    const refused = [
      {},
      bearer(''),
      bearer(generateKey().plaintext),
      bearer(`${key}x`),
      bearer(key.slice(0, -1)),
      { authorization: `Basic ${key}` },
      { authorization: key },
      { 'x-api-key': '' },
      { cookie: `api-key=${key}` },
    ];
    for (const headers of refused) expect(await statusWith(headers as Record<string, string>)).toBe(401);
    expect(backend.tasks).toHaveLength(0);
  });

  it('is not looked up in the database when it is malformed', async () => {
    const typo = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    await cloud.db.schema.dropTable('keys').execute();
    expect(await statusWith(bearer(typo))).toBe(401);
    expect(await statusWith(bearer(key))).toBe(500);
  });

  it('of another deployment is refused', async () => {
    const other = await cloud.publish({ slug: 'other', target: base });
    const { plaintext } = await cloud.issue(other);
    expect(await statusWith(bearer(plaintext))).toBe(401);
    expect((await sample.chat('other', {}, bearer(plaintext))).status).toBe(200);
  });

  it('is refused immediately after it is revoked, while others still work', async () => {
    const second = await cloud.issue(guarded, 'second');
    await cloud.call('DELETE', `/${guarded.id}/keys/${second.id}`);
    expect(await statusWith(bearer(second.plaintext))).toBe(401);
    expect(await statusWith(bearer(key))).toBe(200);
  });

  it('is ignored when auth mode is none, and required again after switching back', async () => {
    await change({ authMode: 'none' });
    for (const headers of [{}, bearer('stale'), { authorization: '§' }, { 'x-api-key': 'x' }])
      expect(await statusWith(headers as Record<string, string>)).toBe(200);
    await change({ authMode: 'fixed_api_key' });
    expect([await statusWith({}), await statusWith(bearer(key))]).toEqual([401, 200]);
  });
});

it('requests are counted once their key is valid, also those that then fail', async () => {
  await sample.chat('guarded', {}, bearer(key));
  await sample.chat('guarded', { n: 5 }, bearer(key));
  await sample.chat('guarded');
  await sample.fetch('/d/guarded/v1/models', { headers: bearer(key) });
  expect(sample.counts.read(guarded.id)).toEqual({ requests: 2, failed: 1 });
});

describe('the time a key was last used', () => {
  async function lastUsedAt() {
    const { keys } = (await (await cloud.call('GET', `/${guarded.id}/keys`)).json()) as {
      keys: { lastUsedAt: string | null }[];
    };
    return keys[0]!.lastUsedAt;
  }
  const useAt = async (time: string) => {
    await cloud.clock.pass(Date.parse(time) - cloud.clock.now());
    await sample.chat('guarded', {}, bearer(key));
    return lastUsedAt();
  };

  it('is written at most once a minute', async () => {
    expect(await lastUsedAt()).toBeNull();
    expect(await useAt('2026-03-01T10:00:00.000Z')).toBe('2026-03-01T10:00:00.000Z');
    expect(await useAt('2026-03-01T10:00:59.999Z')).toBe('2026-03-01T10:00:00.000Z');
    expect(await useAt('2026-03-01T10:01:00.000Z')).toBe('2026-03-01T10:01:00.000Z');
  });

  it('is not written for a refused key', async () => {
    await sample.chat('guarded', {}, bearer(generateKey().plaintext));
    expect(await lastUsedAt()).toBeNull();
  });

  it('does not fail the request when it cannot be written', async () => {
    const refusal = `CREATE TRIGGER refuse BEFORE UPDATE ON keys BEGIN SELECT raise(ABORT, 'read-only'); END`;
    await cloud.db.executeQuery(CompiledQuery.raw(refusal));
    expect((await sample.chat('guarded', {}, bearer(key))).status).toBe(200);
    expect(await lastUsedAt()).toBeNull();
    expect(sample.logged).toMatchObject([{ message: 'Could not record the use of a key.' }]);
  });
});
