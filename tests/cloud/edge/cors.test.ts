// Which web pages may call an endpoint.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_HEADERS } from '../../../lib/cloud/answers/client-headers.js';
import { EngineError } from '../../../lib/engine/index.js';
import { faultAfter, scriptedBackend } from '../backends/scripted-backend.js';
import {
  bearer,
  COMPLETIONS,
  createSampleEdge,
  openSampleEdge,
  type SampleEdge,
  baseTarget as target,
} from './sample-edge.js';

const PAGE = 'https://app.example.com';
const OTHER = 'https://other.example.com';
const CHAT = `/d/demo${COMPLETIONS}`;

let sample: SampleEdge;
let key: string;
let id: string;
beforeEach(async () => {
  sample = await openSampleEdge();
  const { cloud } = sample;
  const demo = await cloud.publish({ slug: 'demo', target, corsOrigins: [PAGE, 'http://localhost:5173'] });
  id = demo.id;
  key = (await cloud.issue(demo)).plaintext;
  await cloud.publish({ slug: 'plain', target });
});
afterEach(() => sample.cloud.close());

const change = (body: object) => sample.cloud.call('PATCH', `/${id}`, body);
const preflight = (path: string, origin = PAGE, asked?: string) => {
  const requested = asked === undefined ? {} : { 'access-control-request-headers': asked };
  const headers = { origin, 'access-control-request-method': 'POST', ...requested };
  return sample.fetch(path, { method: 'OPTIONS', headers });
};

/** Everything but the request's ID, how long it took, and the slug in paths that messages repeat. */
async function contentOf(response: Response) {
  const { 'x-request-id': _, 'openai-processing-ms': __, ...headers } = Object.fromEntries(response.headers);
  const text = (await response.text()).replaceAll(/\/d\/(demo|plain)\//g, '/d/SLUG/');
  return { status: response.status, headers, text };
}

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control') || name === 'vary'));

const READABLE = {
  'access-control-allow-origin': PAGE,
  'access-control-expose-headers': CLIENT_HEADERS.join(', '),
  vary: 'Origin',
};

describe('a preflight', () => {
  it('from an allowed origin is answered, without a key', async () => {
    const asked = 'authorization,content-type,X-Stainless-Lang, , b c, "q", x-b';
    const response = await preflight(CHAT, PAGE, asked);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(corsOf(response)).toEqual({
      ...READABLE,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'authorization, content-type, x-api-key, api-key, x-stainless-lang, x-b',
      'access-control-max-age': '600',
    });
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('names the methods of what the endpoint offers', async () => {
    await change({ operations: ['models', 'responses'] });
    const origin = 'http://localhost:5173';
    const allowed = {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE',
    };
    expect(corsOf(await preflight('/d/demo/v1/models', origin))).toMatchObject(allowed);
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
    expect(await contentOf(await preflight(CHAT, origin))).toEqual(plain);
  });

  it('tells nothing of endpoints that are disabled or were never there', async () => {
    await change({ enabled: false });
    const gone = await contentOf(await preflight(CHAT));
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
    const response = await sample.fetch(CHAT, { method: 'OPTIONS', headers: { origin: PAGE } });
    expect([response.status, corsOf(response)]).toEqual([405, READABLE]);
  });
});

describe('a page of an allowed origin', () => {
  const headers = () => ({ origin: PAGE, ...bearer(key) });

  it('reads answers and streams', async () => {
    const [whole, streamed] = [
      await sample.chat('demo', {}, headers()),
      await sample.chat('demo', { stream: true }, headers()),
    ];
    expect([whole.status, corsOf(whole), corsOf(streamed)]).toEqual([200, READABLE, READABLE]);
    expect(streamed.headers.get('content-type')).toContain('text/event-stream');
    expect(await streamed.text()).toContain('[DONE]');
  });

  it('reads refusals, and when to try again', async () => {
    const busy = scriptedBackend(faultAfter(new EngineError('engine_busy', 'Busy.')));
    const refused = await createSampleEdge(sample.cloud, busy).chat('demo', {}, headers());
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6']);
    for (const response of [
      refused,
      await sample.chat('demo', {}, { origin: PAGE }),
      await sample.chat('demo', { n: 99 }, headers()),
      await sample.fetch(CHAT, { method: 'PUT', headers: headers() }),
    ])
      expect([response.ok, corsOf(response)]).toEqual([false, READABLE]);
    await change({ operations: ['messages'] });
    const asAnthropic = await sample.fetch('/d/demo/v1/messages', { body: '{}', headers: headers() });
    expect([asAnthropic.status, corsOf(asAnthropic)]).toEqual([400, READABLE]);
  });

  it('reads whether to try again at all', async () => {
    const damaged = scriptedBackend(faultAfter(new EngineError('model_damaged', 'Damaged.')));
    const { headers: told } = await createSampleEdge(sample.cloud, damaged).chat('demo', {}, headers());
    expect(told.get('x-should-retry')).toBe('false');
    expect(told.get('access-control-expose-headers')!.split(', ')).toContain('x-should-retry');
  });

  it('reads nothing of it anymore once its origin is removed', async () => {
    await change({ corsOrigins: [] });
    const response = await sample.chat('demo', {}, headers());
    expect([response.status, corsOf(response)]).toEqual([200, {}]);
    expect((await preflight(CHAT)).status).toBe(405);
  });
});

it.each<[string, Record<string, string>]>([
  ['a page of another origin', { origin: OTHER }],
  ['a program', {}],
])('%s gets what it gets from an endpoint without origins', async (_, headers) => {
  for (const init of [{ method: 'GET' }, { body: '{}' }]) {
    const of = async (slug: string) =>
      contentOf(await sample.fetch(`/d/${slug}${COMPLETIONS}`, { headers, ...init }));
    expect(await of('demo')).toEqual(await of('plain'));
  }
  expect(corsOf(await sample.chat('demo', {}, { ...headers, ...bearer(key) }))).toEqual({});
});
