// Which web pages may call an endpoint.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../lib/engine/index.js';
import { BASE_MODEL, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { end, type ScriptedBackend, saying, scriptedBackend, text } from '../inference/scripted-backend.js';
import { bearer, COMPLETIONS, createSampleEdge } from './sample-edge.js';

const target = { kind: 'base_model', baseModel: BASE_MODEL };
const PAGE = 'https://app.example.com';
const OTHER = 'https://other.example.com';

let cloud: SampleCloud;
let backend: ScriptedBackend;
let sample: ReturnType<typeof createSampleEdge>;
let key: string;
let id: string;
beforeEach(async () => {
  cloud = await openSampleCloud();
  backend = scriptedBackend(saying(text('Hello'), end(3, 1)));
  sample = createSampleEdge(cloud, backend);
  const demo = await cloud.publish({ slug: 'demo', target, corsOrigins: [PAGE, 'http://localhost:5173'] });
  id = demo.id;
  key = (await cloud.issue(demo)).plaintext;
  await cloud.publish({ slug: 'plain', target });
});
afterEach(() => cloud.close());

const preflight = (path: string, origin = PAGE, headers: Record<string, string> = {}) =>
  sample.fetch(path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', ...headers },
  });

/** Everything but the request's ID. */
async function contentOf(response: Response) {
  const { 'x-request-id': _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control') || name === 'vary'));

const READABLE = {
  'access-control-allow-origin': PAGE,
  'access-control-expose-headers': 'x-request-id, request-id, retry-after',
  vary: 'Origin',
};

describe('a preflight', () => {
  it('from an allowed origin is answered, without a key', async () => {
    const asked = 'authorization,content-type,x-stainless-lang,x-stainless-retry-count';
    const response = await preflight(`/d/demo${COMPLETIONS}`, PAGE, {
      'access-control-request-headers': asked,
    });
    expect(response.status).toBe(204);
    expect(corsOf(response)).toEqual({
      ...READABLE,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'authorization, content-type, x-api-key, x-stainless-lang, x-stainless-retry-count',
      'access-control-max-age': '600',
    });
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await response.text()).toBe('');
  });

  it('names the methods of what the endpoint offers', async () => {
    await cloud.call('PATCH', `/${id}`, { operations: ['models', 'responses'] });
    const response = await preflight('/d/demo/v1/models', 'http://localhost:5173');
    expect(corsOf(response)).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-methods': 'POST, GET',
    });
  });

  it('allows no header that is not one', async () => {
    const asked = 'X-A, , b c, "q", x-b';
    const response = await preflight(`/d/demo${COMPLETIONS}`, PAGE, {
      'access-control-request-headers': asked,
    });
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'authorization, content-type, x-api-key, x-a, x-b',
    );
  });

  it.each([
    OTHER,
    'null',
    'http://app.example.com',
    `${PAGE}:8443`,
    `${PAGE}.evil.example`,
    'https://APP.example.com',
    '*',
    '',
  ])('from %j is refused like any other method', async origin => {
    const plain = await contentOf(await preflight(`/d/plain${COMPLETIONS}`, origin));
    expect(plain).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(await contentOf(await preflight(`/d/demo${COMPLETIONS}`, origin))).toEqual(plain);
  });

  it('tells nothing of endpoints that are disabled or were never there', async () => {
    await cloud.call('PATCH', `/${id}`, { enabled: false });
    const gone = await contentOf(await preflight(`/d/demo${COMPLETIONS}`));
    expect(gone).toMatchObject({ status: 404, text: expect.stringContaining('deployment_not_found') });
    for (const origin of [PAGE, OTHER])
      expect(await contentOf(await preflight(`/d/nobody${COMPLETIONS}`, origin))).toEqual(gone);
  });

  it('is answered for a path that is not there, so that the page can read why its request is refused', async () => {
    expect((await preflight('/d/demo/v1/responses')).status).toBe(204);
    const response = await sample.fetch('/d/demo/v1/responses', { headers: { origin: PAGE } });
    expect([response.status, corsOf(response)]).toEqual([404, READABLE]);
  });

  it('is not an OPTIONS request that asks for no method', async () => {
    const response = await sample.fetch(`/d/demo${COMPLETIONS}`, {
      method: 'OPTIONS',
      headers: { origin: PAGE },
    });
    expect([response.status, corsOf(response)]).toEqual([405, READABLE]);
  });
});

describe('a page of an allowed origin', () => {
  const headers = () => ({ origin: PAGE, ...bearer(key) });

  it('reads answers', async () => {
    const response = await sample.chat('demo', {}, headers());
    expect([response.status, corsOf(response)]).toEqual([200, READABLE]);
  });

  it('reads streams', async () => {
    const response = await sample.chat('demo', { stream: true }, headers());
    expect([response.headers.get('content-type'), corsOf(response)]).toEqual([
      expect.stringContaining('text/event-stream'),
      READABLE,
    ]);
    expect(await response.text()).toContain('[DONE]');
  });

  it('reads refusals, and when to try again', async () => {
    const busy = async function* () {
      yield* [];
      throw new EngineError('engine_busy', 'Busy.');
    };
    const other = createSampleEdge(cloud, scriptedBackend(busy));
    const response = await other.chat('demo', {}, headers());
    expect([response.status, response.headers.get('retry-after'), corsOf(response)]).toEqual([
      429,
      '1',
      READABLE,
    ]);
    for (const refused of [
      await sample.chat('demo', {}, { origin: PAGE }),
      await sample.chat('demo', { n: 99 }, headers()),
      await sample.fetch(`/d/demo${COMPLETIONS}`, { method: 'PUT', headers: headers() }),
    ])
      expect([refused.ok, corsOf(refused)]).toEqual([false, READABLE]);
  });

  it("reads refusals in Anthropic's form", async () => {
    await cloud.call('PATCH', `/${id}`, { operations: ['messages'] });
    const response = await sample.fetch('/d/demo/v1/messages', { body: '{}', headers: headers() });
    expect([response.status, corsOf(response)]).toEqual([400, READABLE]);
    expect(await response.json()).toMatchObject({ type: 'error' });
  });

  it('reads nothing of it anymore once its origin is removed', async () => {
    await cloud.call('PATCH', `/${id}`, { corsOrigins: [] });
    const response = await sample.chat('demo', {}, headers());
    expect([response.status, corsOf(response)]).toEqual([200, {}]);
    expect((await preflight(`/d/demo${COMPLETIONS}`)).status).toBe(405);
  });
});

describe('any other caller', () => {
  it.each<[string, Record<string, string>]>([
    ['a page of another origin', { origin: OTHER }],
    ['a program', {}],
  ])('%s gets what it gets from an endpoint without origins', async (_, headers) => {
    for (const init of [{ method: 'GET' }, { body: '{}' }]) {
      const [demo, plain] = await Promise.all(
        ['demo', 'plain'].map(async slug =>
          contentOf(await sample.fetch(`/d/${slug}${COMPLETIONS}`, { headers, ...init })),
        ),
      );
      expect(demo).toEqual(plain);
    }
    expect(corsOf(await sample.chat('demo', {}, { ...headers, ...bearer(key) }))).toEqual({});
  });
});
