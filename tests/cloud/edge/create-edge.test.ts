import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateKey } from '../../../lib/cloud/keys/key-text.js';
import { chatCompletion, type Deployment } from '../../../lib/contract/index.js';
import { EngineError } from '../../../lib/engine/index.js';
import { until } from '../../support/until.js';
import { scriptedBackend, text, untilAborted } from '../backends/scripted-backend.js';
import { BASE_MODEL, jobs, type SampleCloud } from '../deployments/sample-cloud.js';
import { HOST } from '../to-fetch.js';
import {
  bearer,
  COMPLETIONS,
  createSampleEdge,
  openSampleEdge,
  refusalOf,
  type SampleEdge,
  baseTarget as target,
} from './sample-edge.js';

let cloud: SampleCloud;
let sample: SampleEdge;
let guarded: Deployment;
let open: Deployment;
let key: string;
beforeEach(async () => {
  sample = await openSampleEdge();
  cloud = sample.cloud;
  guarded = await cloud.publish({ slug: 'guarded', target });
  key = (await cloud.issue(guarded)).plaintext;
  open = await cloud.publish({ slug: 'open', target, authMode: 'none' });
});
afterEach(() => cloud.close());

const change = (body: object) => cloud.call('PATCH', `/${guarded.id}`, body);
const statusWith = async (headers: Record<string, string>) =>
  (await sample.chat('guarded', {}, headers)).status;
const answerOf = async (slug: string, body = {}, headers = {}) =>
  chatCompletion.parse(await (await sample.chat(slug, body, headers)).json());

/** Sends the same request to the path URL and to the subdomain. */
const bothWays = (slug: string, path: string, { headers, ...init }: RequestInit = {}) =>
  Promise.all([
    sample.fetch(`/d/${slug}${path}`, { ...init, headers: { ...headers } }),
    sample.fetch(path, { ...init, headers: { ...headers, host: `${slug}.${HOST}` } }),
  ]);

describe('an endpoint', () => {
  it('answers at its path URL and at its subdomain', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] });
    for (const response of await bothWays('guarded', COMPLETIONS, { body, headers: bearer(key) })) {
      expect(response.headers.get('x-request-id')).toBeTruthy();
      const choices = [{ message: { content: 'Hello there.' } }];
      expect(chatCompletion.parse(await response.json())).toMatchObject({ model: BASE_MODEL, choices });
    }
  });

  it('ignores requests that are not for a deployment', () => {
    const request = new Request(`http://${HOST}/v1/jobs`, { headers: { host: HOST } });
    expect(sample.edge(request)).toBeNull();
  });

  it.each([undefined, 'nonsense', BASE_MODEL, jobs.running, 7, null])(
    'serves its target, though the request names %s',
    async named => {
      const adapter = { kind: 'checkpoint', jobId: jobs.done, step: 10 };
      await cloud.publish({ slug: 'tuned', target: { kind: 'adapter', adapter }, authMode: 'none' });
      const { model } = await answerOf('tuned', { model: named });
      expect(model).toBe(`${BASE_MODEL}:${jobs.done}:checkpoint:10`);
      expect(sample.backend.tasks).toMatchObject([{ adapter: `${jobs.done}-10` }]);
    },
  );

  it('identifies callers to the engine by key, and all callers of a public endpoint as one', async () => {
    const second = (await cloud.issue(guarded, 'second')).plaintext;
    for (const given of [key, key, second]) await sample.chat('guarded', {}, bearer(given));
    for (const given of [key, second]) await sample.chat('open', {}, bearer(given));
    const [one, again, other, ...others] = sample.backend.tasks.map(({ caller }) => caller);
    expect([again, others]).toEqual([one, [open.id, open.id]]);
    expect(new Set([one, other, open.id]).size).toBe(3);
  });

  it('ignores unknown keys in messages and their parts', async () => {
    const part = { type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } };
    await answerOf('open', { messages: [{ role: 'user', content: [part], id: 'm1', metadata: { a: 1 } }] });
    expect(sample.backend.tasks[0]!.messages).toEqual([{ role: 'user', content: 'hi' }]);
  });

  it('stops generating when its caller leaves, which is no error', async () => {
    const caller = new AbortController();
    const backend = scriptedBackend(async function* (_, signal) {
      yield text('Hel');
      caller.abort();
      await untilAborted(signal);
    });
    const leaving = createSampleEdge(cloud, backend);
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] });
    await leaving.fetch(`/d/open${COMPLETIONS}`, { body, signal: caller.signal });
    expect([backend.tasks.length, backend.open, leaving.logged]).toEqual([1, 0, []]);
  });

  it('serves a changed target from the next request on', async () => {
    const fingerprint = async () => (await answerOf('guarded', {}, bearer(key))).system_fingerprint;
    const before = await fingerprint();
    await change({ target: { kind: 'adapter', adapter: { kind: 'final', jobId: jobs.done } } });
    expect(await fingerprint()).not.toBe(before);
  });

  it('answers 404 while disabled, and accepts the same key at the same URL when enabled again', async () => {
    await change({ enabled: false });
    expect(await statusWith(bearer(key))).toBe(404);
    const { deployment } = (await (await change({ enabled: true })).json()) as { deployment: Deployment };
    expect(deployment).toEqual({ ...guarded, updatedAt: deployment.updatedAt });
    expect(await statusWith(bearer(key))).toBe(200);
  });

  it('answers model_not_supported when the cloud has another base model', async () => {
    await cloud.db
      .updateTable('deployments')
      .set({ target: '{"kind":"base_model","baseModel":"svc/old"}' })
      .execute();
    const refused = { status: 400, code: 'model_not_supported', param: null };
    expect(await refusalOf(sample.chat('open'))).toMatchObject(refused);
  });
});

describe('a request that no endpoint answers', () => {
  it('is told its whole path, and the whole path of what is there', async () => {
    const [byPath, byHost] = await Promise.all((await bothWays('open', '/chat/completions')).map(refusalOf));
    expect(byPath!.message).toBe(
      `There is no /d/open/chat/completions here: it is at /d/open${COMPLETIONS}. Check the client's base URL.`,
    );
    expect(byHost!.message).toContain(`There is no /chat/completions here: it is at ${COMPLETIONS}.`);
    const { message } = await refusalOf(sample.fetch('/d/open'));
    expect(message).toBe(`There is no /d/open here: only /d/open${COMPLETIONS} is available.`);
  });

  it('finds an endpoint by its path, though a proxy keeps the host of another local site', async () => {
    const headers = { host: 'my-app.localhost:3000' };
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] });
    expect((await sample.fetch(`/d/open${COMPLETIONS}`, { body, headers })).status).toBe(200);
    expect(await refusalOf(sample.fetch(COMPLETIONS, { body, headers }))).toMatchObject({
      code: 'deployment_not_found',
    });
  });

  it('is logged with its ID, the first of each minute for each endpoint and for all others', async () => {
    const logged = () => sample.logged.splice(0) as { message: string; requestId: string }[];
    const first = await sample.fetch(`/d/nobody${COMPLETIONS}`);
    for (const slug of ['nobody', 'another', 'open', 'open']) await sample.fetch(`/d/${slug}/v2`);
    expect(logged()).toEqual([
      {
        message: `Answered 404 deployment_not_found: No endpoint "nobody" is enabled. The request's path began with /d/nobody.`,
        requestId: first.headers.get('x-request-id'),
      },
      {
        message: expect.stringContaining(
          'Answered 404 unknown_url at endpoint open: There is no /d/open/v2 here',
        ),
        requestId: expect.any(String),
      },
    ]);
    await cloud.clock.pass(60_000);
    await sample.fetch(`/d/nobody${COMPLETIONS}`);
    expect(logged()).toMatchObject([
      { message: expect.stringContaining('(2 more like the one before were') },
    ]);
    await sample.chat('guarded');
    await sample.chat('open');
    expect(logged()).toEqual([]);
  });
});

describe('the order of the checks', () => {
  it.each<[what: string, path: string, init: RequestInit]>([
    ['a good request', COMPLETIONS, { body: '{}' }],
    ['another path', '/v1/models', { method: 'GET' }],
    ['a URL that does not decode', '/%zz', { method: 'GET' }],
    ['another method', COMPLETIONS, { method: 'GET' }],
    ['an invalid body', COMPLETIONS, { body: '{' }],
  ])('starts with the deployment: %s', async (_, path, init) => {
    await change({ enabled: false });
    await cloud.call('PATCH', `/${open.id}`, { enabled: false });
    const calls = ['guarded', 'open', 'nobody'].flatMap(slug =>
      [{}, bearer(key)].map(headers => bothWays(slug, path, { ...init, headers })),
    );
    const seen = (await Promise.all(calls)).flat().map(async response => {
      const { 'x-request-id': id, ...headers } = Object.fromEntries(response.headers);
      expect([response.status, id]).toEqual([404, expect.any(String)]);
      return JSON.stringify([headers, await response.text()]);
    });
    const same = [expect.stringContaining('deployment_not_found')];
    expect([...new Set(await Promise.all(seen))]).toEqual(same);
  });

  it.each([
    ['GET', '/v1/models'],
    ['POST', '/v1/responses'],
    ['GET', '/v1/jobs'],
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
    const response = sample.fetch('/d/guarded//v1/chat/completions', { headers: bearer(key) });
    expect(await refusalOf(response)).toMatchObject({ status: 404, code: 'unknown_url' });
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('then checks the method: %s', async method => {
    const response = await sample.fetch(`/d/guarded${COMPLETIONS}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('then checks the key, before the body', async () => {
    const init = { body: '{', headers: { 'content-type': 'text/plain' } };
    const response = await sample.fetch(`/d/guarded${COMPLETIONS}`, init);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await refusalOf(response)).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it.each([
    [{ messages: undefined }, 'messages'],
    [{ n: 9 }, 'n'],
  ])('checks the body last: %j', async (body, param) => {
    const refused = { status: 400, code: 'invalid_value', param };
    expect(await refusalOf(sample.chat('guarded', body, bearer(key)))).toMatchObject(refused);
    expect(sample.backend.tasks).toHaveLength(0);
  });
});

describe('the key', () => {
  it('is accepted as a bearer token, in x-api-key or in api-key, if any is valid', async () => {
    expect(await statusWith(bearer(key))).toBe(200);
    expect(await statusWith({ authorization: `bearer  ${key}` })).toBe(200);
    expect(await statusWith({ 'x-api-key': key })).toBe(200);
    expect(await statusWith({ 'api-key': key })).toBe(200);
    expect(await statusWith({ 'x-api-key': key, ...bearer('not-required') })).toBe(200);
  });

  it('is refused when it is missing, malformed, unknown, of another endpoint or elsewhere', async () => {
    const other = await cloud.publish({ slug: 'other', target });
    const ofOther = (await cloud.issue(other)).plaintext;
    const refused: object[] = [
      {},
      bearer(''),
      bearer(generateKey().plaintext),
      bearer(ofOther),
      bearer(`${key}x`),
      bearer(key.slice(0, -1)),
      { authorization: `Basic ${key}` },
      { authorization: key },
      { 'x-api-key': '' },
      { cookie: `api-key=${key}` },
    ];
    for (const headers of refused) expect(await statusWith(headers as Record<string, string>)).toBe(401);
    expect(sample.backend.tasks).toHaveLength(0);
    expect((await sample.chat('other', {}, bearer(ofOther))).status).toBe(200);
  });

  it('is not looked up in the database when it is malformed', async () => {
    const typo = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    await cloud.db.schema.dropTable('keys').execute();
    expect([await statusWith(bearer(typo)), await statusWith(bearer(key))]).toEqual([401, 500]);
  });

  it('is refused immediately after it is revoked, while others still work', async () => {
    const second = await cloud.issue(guarded, 'second');
    await cloud.call('DELETE', `/${guarded.id}/keys/${second.id}`);
    expect([await statusWith(bearer(second.plaintext)), await statusWith(bearer(key))]).toEqual([401, 200]);
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
  await sample.chat('guarded', { n: 9 }, bearer(key));
  await sample.chat('guarded');
  await sample.fetch('/d/guarded/v1/models', { headers: bearer(key) });
  expect(sample.counts.read(guarded.id)).toEqual({ requests: 2, failed: 1 });
});

it('an answer that fails is one failed request, before and after it has begun', async () => {
  const failing = scriptedBackend(async function* () {
    yield text('Hel');
    throw new EngineError('engine_unavailable', 'It is gone.');
  });
  const { chat, counts } = createSampleEdge(cloud, failing);
  expect((await chat('open')).status).toBe(503);
  expect(counts.read(open.id)).toEqual({ requests: 1, failed: 1 });
  expect(await (await chat('open', { stream: true })).text()).toContain('engine_unavailable');
  expect(counts.read(open.id)).toEqual({ requests: 2, failed: 2 });
});

it.each([
  [{}, 'before it says anything'],
  [{}, 'midway'],
  [{ stream: true }, 'before it says anything'],
  [{ stream: true }, 'midway'],
])('an answer %j whose caller leaves %s is a request that has not failed', async (more, when) => {
  const caller = new AbortController();
  const backend = scriptedBackend(async function* (_, signal) {
    if (when === 'midway') yield text('Hel');
    caller.abort();
    await untilAborted(signal);
  });
  const { fetch, counts } = createSampleEdge(cloud, backend);
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...more });
  const response = await fetch(`/d/open${COMPLETIONS}`, { body, signal: caller.signal });
  await response.body?.cancel();
  await until(() => backend.open).toBe(0);
  expect([backend.tasks.length, counts.read(open.id)]).toEqual([1, { requests: 1, failed: 0 }]);
});

describe('the time a key was last used', () => {
  async function lastUsedAt() {
    const response = await cloud.call('GET', `/${guarded.id}/keys`);
    return ((await response.json()) as { keys: { lastUsedAt: string | null }[] }).keys[0]!.lastUsedAt;
  }

  it('is written at most once a minute, and not for a refused key', async () => {
    await sample.chat('guarded', {}, bearer(generateKey().plaintext));
    expect(await lastUsedAt()).toBeNull();
    for (const [time, written] of [
      ['10:00:00.000', '10:00:00.000'],
      ['10:00:59.999', '10:00:00.000'],
      ['10:01:00.000', '10:01:00.000'],
    ]) {
      await cloud.clock.pass(Date.parse(`2026-03-01T${time}Z`) - cloud.clock.now());
      await sample.chat('guarded', {}, bearer(key));
      expect(await lastUsedAt()).toBe(`2026-03-01T${written}Z`);
    }
  });

  it('is written at once if the clock was ahead when it was written', async () => {
    await cloud.db.updateTable('keys').set({ last_used_at: '2036-01-01T00:00:00.000Z' }).execute();
    await sample.chat('guarded', {}, bearer(key));
    await until(lastUsedAt).toBe(new Date(cloud.clock.now()).toISOString());
  });

  it('does not fail the request when it cannot be written', async () => {
    const refusal = `CREATE TRIGGER refuse BEFORE UPDATE ON keys BEGIN SELECT raise(ABORT, 'read-only'); END`;
    await cloud.db.executeQuery(CompiledQuery.raw(refusal));
    expect(await statusWith(bearer(key))).toBe(200);
    expect(await lastUsedAt()).toBeNull();
    expect(sample.logged).toMatchObject([{ message: 'Could not record the use of a key.' }]);
  });
});
