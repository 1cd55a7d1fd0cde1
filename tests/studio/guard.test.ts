// The checks of host, token and origin before anything else happens.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPath, studioRoutes } from '../../lib/contract/index.js';
import { createToken } from '../../lib/studio/index.js';
import { openStudio, refusalOf, type TestStudio, TOKEN, toRequest } from './open-studio.js';

let test: TestStudio;
beforeAll(async () => {
  test = await openStudio();
  await test.write('web/index.html', '<head><meta name="svc-studio-token" content=""></head>');
  await test.write('web/assets/index-a1b2c3d4.js', 'export {};');
});
afterAll(() => test.close());

const fetch = (path: string, init?: RequestInit) => test.studio.fetch(toRequest(path, init));
const withToken = (token: string): RequestInit => ({ headers: { 'x-svc-studio-token': token } });

const ROUTES = Object.values(studioRoutes).map(({ method, path }) => ({
  method,
  path: fillPath(path, { id: 'job-1', keyId: 'key-1', requestId: 'request-1' }),
}));

describe('the Host guard', () => {
  it.each(['127.0.0.1', 'localhost', '127.0.0.1:4000', 'localhost:65535', 'LocalHost:4000'])(
    'accepts 127.0.0.1 and localhost: %s',
    async host => {
      expect((await fetch('/', { headers: { host } })).status).toBe(200);
      expect((await fetch('/api/jobs', { headers: { host } })).status).toBe(200);
    },
  );

  it.each([
    'evil.com',
    'evil.com:4000',
    'localhost.evil.com',
    '127.0.0.1.nip.io',
    'a.localhost',
    'localhost.',
    '0.0.0.0',
    '127.1',
    '127.0.0.2',
    '2130706433',
    '[::1]',
    '[::1]:4000',
    'localhost@evil.com',
    'localhost, evil.com',
    'localhost:4000x',
    '',
  ])('answers 403 to any other host, including for static HTML: "%s"', async host => {
    for (const path of [
      '/',
      '/index.html',
      '/assets/index-a1b2c3d4.js',
      '/nope',
      '/api/jobs',
      '/api/train',
    ]) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(path, { method, headers: { host } });
        const text = await response.clone().text();
        expect(await refusalOf(response)).toMatchObject({ status: 403, code: 'host_not_allowed' });
        expect(text).not.toContain(TOKEN);
        expect(text).not.toContain('<meta');
      }
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
    for (const token of tokens) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    }
    expect(new Set(tokens).size).toBe(10);
  });

  it.each(ROUTES)('is required in the X-Svc-Studio-Token header: $method $path', async at => {
    const { method, path } = at;
    for (const token of ['', 'x', TOKEN.slice(1), `${TOKEN}x`, 'y'.repeat(10_000), 'T\u00f6ken']) {
      const response = await fetch(path, { method, ...withToken(token) });
      expect(await refusalOf(response)).toMatchObject({ status: 403, code: 'studio_token_invalid' });
    }
    const headers = { host: 'localhost:4000', authorization: `Bearer ${TOKEN}`, cookie: `token=${TOKEN}` };
    const other = await test.studio.fetch(new Request(`http://localhost:4000${path}`, { method, headers }));
    expect(other.status).toBe(403);
    expect((await fetch(path, { method })).status).not.toBe(403);
  });

  it.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/v1/jobs',
    '/API/jobs',
    '/Api',
    '//api/jobs',
    '/%61pi/jobs',
    '/ap%69/jobs',
    '/api%2Fjobs',
    '/%2561pi/jobs',
    '/./api/jobs',
    '/x/../api/jobs',
    '/x/%2e%2e/api/jobs',
    '/\\api/jobs',
  ])('is required for any spelling of an API path: %s', async path => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE']) {
      const response = await fetch(path, { method, ...withToken('stale') });
      expect(response.status).toBe(403);
      expect(await response.text()).not.toContain('jobs":');
    }
  });

  it('is also accepted as the query parameter studioToken by the job-event stream', async () => {
    const path = `/api/jobs/job-1/events?studioToken=`;
    // Past the guard: this project has no such job.
    expect((await fetch(path + TOKEN, withToken(''))).status).toBe(404);
    expect((await fetch(path + TOKEN, withToken('stale'))).status).toBe(404);
    expect((await fetch(`${path}wrong`, withToken(''))).status).toBe(403);
    expect((await fetch(path, withToken(''))).status).toBe(403);
    expect((await fetch('/api/jobs/job-1/events')).status).toBe(404);
  });

  it.each(ROUTES.filter(({ path }) => !path.endsWith('/events')))(
    'is not accepted in the query of other routes: $method $path',
    async ({ method, path }) => {
      const response = await fetch(`${path}?studioToken=${TOKEN}`, { method, ...withToken('') });
      expect(await refusalOf(response)).toMatchObject({ status: 403, code: 'studio_token_invalid' });
    },
  );

  it.each([
    ['POST', '/api/jobs/job-1/events'],
    ['HEAD', '/api/jobs/job-1/events'],
    ['DELETE', '/api/jobs/job-1/events'],
    ['GET', '/api/jobs/job-1/events/'],
    ['GET', '/api/jobs/x/events/../../../deployments'],
    ['GET', '/api/jobs/..%2f..%2fdeployments/events'],
    ['GET', '/api/jobs/%2e%2e/events'],
    ['GET', '/api/jobs//events'],
  ])('is not accepted in the query of routes that resemble the stream: %s %s', async (method, path) => {
    const response = await fetch(`${path}?studioToken=${TOKEN}`, { method, ...withToken('') });
    expect(response.status).toBe(403);
  });

  it('is checked before unknown routes and wrong methods, which then get the error envelope', async () => {
    const nope = await fetch('/api/nope', { method: 'POST' });
    expect(await refusalOf(nope)).toMatchObject({ status: 404, code: 'unknown_url' });
    const put = await fetch('/api/jobs', { method: 'PUT' });
    expect(put.headers.get('allow')).toBe('GET');
    expect(await refusalOf(put)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect((await fetch('/API/jobs')).status).toBe(404);
  });
});

describe('cross-origin requests', () => {
  const origin = 'http://evil.com';

  it('get no CORS headers', async () => {
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const responses = [
      await fetch('/', { headers: { origin } }),
      await fetch('/nope', { headers: { origin } }),
      await fetch('/api/jobs', { headers: { origin } }),
      await fetch('/api/jobs', { headers: { origin, 'x-svc-studio-token': 'stale' } }),
      await fetch('/api/train', { method: 'OPTIONS', headers: preflight }),
      await fetch('/', { method: 'OPTIONS', headers: preflight }),
    ];
    for (const { headers } of responses) {
      expect([...headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded'])(
    'are rejected by the token check if they are simple POSTs: %s',
    async type => {
      const before = [...test.cloud.calls, ...test.logged];
      for (const path of ['/api/train', '/api/deployments', '/api/inference/chat']) {
        const headers = { host: 'localhost:4000', origin, 'content-type': type };
        const request = new Request(`http://localhost:4000${path}`, {
          method: 'POST',
          headers,
          body: 'slug=x',
        });
        expect(await refusalOf(await test.studio.fetch(request))).toMatchObject({
          status: 403,
          code: 'studio_token_invalid',
        });
      }
      // Even with the token, the API does not accept content types that a form can send.
      const typed = await fetch('/api/deployments', {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{}',
      });
      expect(typed.status).toBe(415);
      expect([...test.cloud.calls, ...test.logged]).toEqual(before);
    },
  );
});

describe('every response', () => {
  it('has security headers: a strict CSP without framing, nosniff and same-origin policies', async () => {
    const responses = [
      await fetch('/'),
      await fetch('/assets/index-a1b2c3d4.js'),
      await fetch('/nope'),
      await fetch('/api/jobs'),
      await fetch('/api/nope'),
      await fetch('/', { headers: { host: 'evil.com' } }),
      await fetch('/api/jobs', withToken('stale')),
    ];
    for (const { headers } of responses) {
      const policy = headers.get('content-security-policy')!.split('; ');
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
      expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'none'", "base-uri 'none'"]));
      expect(policy.join()).not.toMatch(/unsafe|\*|http/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    }
  });

  it('is not cached by default', async () => {
    expect((await fetch('/api/nope')).headers.get('cache-control')).toBe('no-store');
    expect((await fetch('/api/openapi.json')).headers.get('cache-control')).toBe('no-store');
  });
});
