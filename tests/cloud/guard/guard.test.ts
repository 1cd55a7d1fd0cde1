// What the cloud refuses before routing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelBefore, readHostName } from '../../../lib/cloud/guard.js';
import { type MemoryCloud, openMemoryCloud, refusalOf } from '../serve/memory-cloud.js';

let memory: MemoryCloud;
beforeAll(async () => {
  memory = await openMemoryCloud();
});
afterAll(() => memory.close());

const call: MemoryCloud['call'] = (...args) => memory.call(...args);

describe('the host of a request', () => {
  it.each([
    'localhost',
    'localhost:4100',
    'localhost:9',
    'LocalHost:4100',
    '127.0.0.1:4100',
    '[::1]:4100',
    '[::1]',
  ])('may be %s', async host => {
    expect((await call('/healthz', { headers: { host } })).status).toBe(200);
  });

  it.each([
    'evil.com',
    'evil.com:4100',
    'localhost.evil.com',
    '127.0.0.1.nip.io',
    'a.b.localhost',
    '.localhost',
    '0.0.0.0',
    '127.0.0.2',
    '127.1',
    '[::2]',
    '::1',
    'localhost.',
    'localhost@evil.com',
    'evil.com,localhost',
    'localhost:x',
    'localhost:999999',
    '',
    null,
  ])('must not be %s', async host => {
    for (const path of ['/healthz', '/v1/me', '/nowhere', '/d/some-slug/v1/chat/completions']) {
      expect(await refusalOf(await call(path, { headers: { host } }))).toMatchObject({
        status: 403,
        code: 'host_not_allowed',
      });
    }
  });

  it('is taken from the Host header, not from the request URL', async () => {
    const request = new Request('http://localhost:4100/healthz', { headers: { host: 'evil.com' } });
    expect((await memory.cloud.fetch(request)).status).toBe(403);
    const absolute = new Request('http://evil.com/healthz', { headers: { host: 'localhost' } });
    expect((await memory.cloud.fetch(absolute)).status).toBe(200);
  });

  it('selects an endpoint when it is a subdomain of the deployment domain', async () => {
    for (const host of ['no-such.localhost:4100', 'NO-SUCH.LOCALHOST', 'no-such.localhost:1']) {
      const refusal = await refusalOf(await call('/v1/me', { headers: { host } }));
      expect(refusal).toMatchObject({ status: 404, code: 'deployment_not_found' });
    }
  });

  it('must match --domain when it is set', async () => {
    const domain = await openMemoryCloud({
      address: { url: 'https://c.example', deploymentDomain: 'c.example', names: ['c.example'] },
    });
    const statusAt = async (host: string) => (await domain.call('/healthz', { headers: { host } })).status;
    expect([await statusAt('c.example'), await statusAt('C.Example:443')]).toEqual([200, 200]);
    expect([await statusAt('x.c.example'), await statusAt('x.y.c.example')]).toEqual([404, 403]);
    expect([await statusAt('localhost'), await statusAt('c.example.evil.com')]).toEqual([403, 403]);
    expect([await statusAt('example'), await statusAt('ac.example')]).toEqual([403, 403]);
    await domain.close();
  });
});

describe('a page from another origin', () => {
  const pages: Record<string, string>[] = [
    { origin: 'http://evil.com' },
    { origin: 'null' },
    { origin: 'http://localhost:4000' },
    { origin: 'http://localhost' },
    { origin: 'https://localhost:4100' },
    { origin: 'http://127.0.0.1:4100' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'Cross-Site' },
    { origin: 'http://localhost:4100', 'sec-fetch-site': 'cross-site' },
  ];

  it.each(pages)('is refused on the API: %o', async headers => {
    for (const path of ['/healthz', '/v1/cloud?nonce=1', '/v1/me', '/nowhere', '/d']) {
      const response = await call(path, { headers });
      expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
      expect(await refusalOf(response)).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    }
  });

  it('cannot sign up, even with the secret', async () => {
    const response = await call('/v1/auth/anonymous', {
      method: 'POST',
      headers: { origin: 'http://evil.com', 'x-svc-cloud-secret': 'the-secret-of-cloud-json' },
      json: { kind: 'cli' },
    });
    expect(response.status).toBe(403);
  });

  it.each(pages)('may call endpoints: %o', async headers => {
    for (const at of [
      { path: '/v1/chat/completions', host: 'no-such.localhost' },
      { path: '/d/no-such/v1/chat/completions', host: 'localhost' },
    ]) {
      const response = await call(at.path, { method: 'POST', headers: { ...headers, host: at.host } });
      expect(await refusalOf(response)).toMatchObject({ status: 404, code: 'deployment_not_found' });
    }
  });

  it('is distinguished from programs without these headers and from direct navigation', async () => {
    for (const headers of [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' },
    ])
      expect((await call('/healthz', { headers })).status).toBe(200);
  });
});

describe('a path', () => {
  it.each(['/d/../v1/me', '/d/%2e%2e/v1/me', '/d/x/../../v1/me', '/d//../../v1/me'])(
    'that leaves /d/ with .. is an API path: %s',
    async path => {
      const headers = { origin: 'http://evil.com' };
      expect(await refusalOf(await call(path, { headers }))).toMatchObject({ code: 'origin_not_allowed' });
      expect((await refusalOf(await call(path))).code).toBe('unauthenticated');
    },
  );

  it.each(['/d/..%2fv1%2fme', '/d/..%5cv1', '/d/%00', '/d/'])(
    'that stays under /d/ is an endpoint path: %s',
    async path => {
      expect((await refusalOf(await call(path))).code).toBe('deployment_not_found');
    },
  );
});

it('reads the host name, and the label before a domain', () => {
  const nameOf = (host: string) => readHostName(new Request('http://x', { headers: { host } }));
  expect([nameOf('A.Example:80'), nameOf('[::1]:80'), nameOf('a b'), nameOf('a/b')]).toEqual([
    'a.example',
    '[::1]',
    null,
    null,
  ]);
  expect(labelBefore('localhost:4100', 'my-bot.localhost')).toBe('my-bot');
  expect(labelBefore('C.example', 'my-bot.c.example')).toBe('my-bot');
  expect([labelBefore('localhost', 'localhost'), labelBefore('localhost', 'a.b.localhost')]).toEqual([
    null,
    null,
  ]);
});
