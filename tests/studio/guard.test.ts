// What every request meets first: the checks of host, token, origin and body; and the headers of every response.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillPath, type Route, STUDIO_TOKEN_HEADER, studioRoutes } from '../../lib/contract/index.js';
import { createToken } from '../../lib/studio/index.js';
import { openSharedStudio, PAGE, refusalOf, type TestStudio, TOKEN, toRequest } from './open-studio.js';

let test: TestStudio;
let started: number;
beforeAll(async () => {
  const startTrain = () => {
    started++;
    return Promise.reject(new Error('nothing is started here'));
  };
  test = await openSharedStudio({}, { startTrain });
  await test.write('web/index.html', PAGE);
  await test.write('web/assets/index-a1b2c3d4.js', 'export {};');
});
beforeEach(() => {
  started = 0;
  for (const noted of [test.logged, test.cloud.calls]) noted.splice(0);
});
afterAll(() => test.close());

const fetch = (path: string, init?: RequestInit) => test.studio.fetch(toRequest(path, init));
const withToken = (token: string): RequestInit => ({ headers: { 'x-svc-studio-token': token } });
const NO_TOKEN = { status: 403, code: 'studio_token_invalid' };
const expectNothingDone = () => expect([test.cloud.calls, started, test.logged]).toEqual([[], 0, []]);

const ROUTES = Object.entries<Route>(studioRoutes).map(([name, { method, path }]) => ({
  ...{ name, method },
  path: fillPath(path, { id: 'job-1', keyId: 'key-1', requestId: 'request-1' }),
}));

describe('the Host guard', () => {
  it('accepts 127.0.0.1 and localhost, with any port', async () => {
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.1:4000', 'localhost:65535', 'LocalHost:4000'])
      for (const path of ['/', '/api/jobs'])
        expect((await fetch(path, { headers: { host } })).status, host).toBe(200);
  });

  it.each([
    ...['evil.com', 'evil.com:4000', 'localhost.evil.com', '127.0.0.1.nip.io', 'a.localhost', 'localhost.'],
    ...['0.0.0.0', '127.1', '127.0.0.2', '2130706433', '[::1]', '[::1]:4000', 'localhost@evil.com'],
    ...['localhost, evil.com', 'localhost:4000x', ''],
  ])('answers 403 to any other host, including for static HTML: "%s"', async host => {
    const files = ['/', '/index.html', '/assets/index-a1b2c3d4.js', '/nope'];
    for (const path of [...files, '/api/jobs', '/api/train'])
      for (const method of ['GET', 'POST']) {
        const response = await fetch(path, { method, headers: { host } });
        const text = await response.clone().text();
        expect(await refusalOf(response)).toMatchObject({ status: 403, code: 'host_not_allowed' });
        expect(text).not.toContain(TOKEN);
        expect(text).not.toContain('<meta');
      }
  });

  it('rejects a foreign host in the request line, and a request without a host', async () => {
    const headers = { host: 'localhost:4000', 'x-svc-studio-token': TOKEN };
    const absolute = await test.studio.fetch(new Request('http://evil.com/', { headers }));
    expect(absolute.status).toBe(403);
    expect((await test.studio.fetch(new Request('http://localhost:4000/'))).status).toBe(403);
  });
});

describe('the per-launch token', () => {
  it('is 32 random bytes encoded as base64url', () => {
    const tokens = Array.from({ length: 10 }, createToken);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(tokens).size).toBe(10);
  });

  it.each(ROUTES)('is required in the X-Svc-Studio-Token header: $method $path', async ({ method, path }) => {
    for (const token of ['', 'x', TOKEN.slice(1), `${TOKEN}x`, 'y'.repeat(10_000), 'T\u00f6ken'])
      expect(await refusalOf(await fetch(path, { method, ...withToken(token) }))).toMatchObject(NO_TOKEN);
    const headers = { host: 'localhost:4000', authorization: `Bearer ${TOKEN}`, cookie: `token=${TOKEN}` };
    const other = await test.studio.fetch(new Request(`http://localhost:4000${path}`, { method, headers }));
    expect(other.status).toBe(403);
    expect((await fetch(path, { method })).status).not.toBe(403);
  });

  it.each([
    ...['/api', '/api/', '/api/nope', '/api/v1/jobs', '/API/jobs', '/Api', '//api/jobs', '/%61pi/jobs'],
    ...['/ap%69/jobs', '/api%2Fjobs', '/%2561pi/jobs', '/./api/jobs', '/x/../api/jobs'],
    ...['/x/%2e%2e/api/jobs', '/\\api/jobs'],
  ])('is required for any spelling of an API path: %s', async path => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE']) {
      const response = await fetch(path, { method, ...withToken('stale') });
      expect(response.status).toBe(403);
      expect(await response.text()).not.toContain('jobs":');
    }
  });

  it('is also accepted as the query parameter studioToken by the job-event stream', async () => {
    const path = '/api/jobs/job-1/events';
    const ask = async (query: string, token: string) =>
      (await fetch(`${path}?studioToken=${query}`, withToken(token))).status;
    // Past the guard: this project has no such job.
    expect([await ask(TOKEN, ''), await ask(TOKEN, 'stale'), await ask('', TOKEN)]).toEqual([404, 404, 404]);
    expect([await ask('wrong', ''), await ask('', '')]).toEqual([403, 403]);
  });

  it.each([
    ...ROUTES.filter(({ path }) => !path.endsWith('/events')),
    ...['POST', 'HEAD', 'DELETE'].map(method => ({ method, path: '/api/jobs/job-1/events' })),
    { method: 'GET', path: '/api/jobs/job-1/events/' },
    { method: 'GET', path: '/api/jobs/x/events/../../../deployments' },
    { method: 'GET', path: '/api/jobs/..%2f..%2fdeployments/events' },
    { method: 'GET', path: '/api/jobs/%2e%2e/events' },
    { method: 'GET', path: '/api/jobs//events' },
  ])('is not accepted in the query of other routes: $method $path', async ({ method, path }) => {
    const response = await fetch(`${path}?studioToken=${TOKEN}`, { method, ...withToken('') });
    expect(response.status).toBe(403);
    if (method !== 'HEAD') expect(await refusalOf(response)).toMatchObject(NO_TOKEN);
  });

  it('is checked before unknown routes and wrong methods, which then get the error envelope', async () => {
    for (const path of ['/api/nope', '/API/jobs'])
      expect(await refusalOf(await fetch(path))).toMatchObject({ status: 404, code: 'unknown_url' });
    const put = await fetch('/api/jobs', { method: 'PUT' });
    expect(put.headers.get('allow')).toBe('GET, HEAD');
    expect(await refusalOf(put)).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });
});

describe('cross-origin requests', () => {
  const origin = 'http://evil.com';

  it('get no CORS headers', async () => {
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const responses = await Promise.all([
      ...['/', '/nope', '/api/jobs'].map(path => fetch(path, { headers: { origin } })),
      fetch('/api/jobs', { headers: { origin, 'x-svc-studio-token': 'stale' } }),
      ...['/', '/api/train'].map(path => fetch(path, { method: 'OPTIONS', headers: preflight })),
    ]);
    for (const { headers } of responses)
      expect([...headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
  });

  const FORM = 'application/x-www-form-urlencoded';

  it.each(['text/plain', FORM])('are rejected if they are simple POSTs: %s', async type => {
    const headers = { host: 'localhost:4000', origin, 'content-type': type };
    for (const path of ['/api/train', '/api/deployments', '/api/inference/chat']) {
      const init = { method: 'POST', headers, body: 'slug=x' };
      const response = await test.studio.fetch(new Request(`http://localhost:4000${path}`, init));
      expect(await refusalOf(response)).toMatchObject(NO_TOKEN);
    }
    // Even with the token, the API does not accept content types that a form can send.
    const typed = await fetch('/api/deployments', { method: 'POST', headers, body: '{}' });
    expect(typed.status).toBe(415);
    expectNothingDone();
  });
});

describe('a body', () => {
  const CHANGING = ROUTES.filter(({ method }) => method !== 'GET');

  it.each(CHANGING)('that is invalid is refused by $name', async ({ method, path }) => {
    const headers = { 'content-type': 'application/json' };
    for (const [body, code] of [
      ['{"name":', 'invalid_json'],
      ['train', 'invalid_json'],
      ['[]', 'invalid_value'],
      ['5', 'invalid_value'],
      ['null', 'invalid_value'],
      ['{"surely":"unknown"}', expect.stringMatching(/^(unknown_field|invalid_value|slug_invalid)$/)],
    ]) {
      const response = await fetch(path, { method, headers, body });
      expect(await refusalOf(response), body).toMatchObject({ status: 400, code });
    }
    expectNothingDone();
  });

  it.each(['', ' ', '{}'])('of a route without one may be %j', async body => {
    await fetch('/api/train', { method: 'POST', body });
    expect(started).toBe(1);
  });
});

describe('every response', () => {
  it('has security headers: a strict CSP without framing, nosniff and same-origin policies', async () => {
    const responses = await Promise.all([
      ...['/', '/assets/index-a1b2c3d4.js', '/nope', '/api/jobs', '/api/nope'].map(path => fetch(path)),
      fetch('/', { headers: { host: 'evil.com' } }),
      fetch('/api/jobs', withToken('stale')),
    ]);
    for (const { headers } of responses) {
      const policy = headers.get('content-security-policy')!.split('; ');
      const wanted = ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"];
      expect(policy).toEqual(expect.arrayContaining(wanted));
      expect(policy.join()).not.toMatch(/unsafe|\*|http/);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      });
    }
  });

  it('is not cached by default', async () => {
    for (const path of ['/api/nope', '/api/openapi.json'])
      expect((await fetch(path)).headers.get('cache-control')).toBe('no-store');
  });
});

it('GET /api/openapi.json describes the server URL, the token header and the event schema', async () => {
  const schema = { $ref: '#/components/schemas/JobEvent' };
  const stream = { 200: { content: { 'text/event-stream': { schema } } }, 204: {} };
  expect(await test.json('GET', '/api/openapi.json')).toMatchObject({
    status: 200,
    body: {
      servers: [{ url: 'http://localhost:4000' }],
      security: [{ caller: [] }],
      components: {
        securitySchemes: { caller: { type: 'apiKey', in: 'header', name: STUDIO_TOKEN_HEADER } },
      },
      paths: { '/api/jobs/{id}/events': { get: { responses: stream } } },
    },
  });
});
