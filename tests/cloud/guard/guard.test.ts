// What the cloud refuses before routing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MemoryCloud, openMemoryCloud, refusalOf, SECRET } from '../host/memory-cloud.js';

let memory: MemoryCloud;
beforeAll(async () => {
  memory = await openMemoryCloud();
});
afterAll(() => memory.close());

const call: MemoryCloud['call'] = (...args) => memory.call(...args);
const refused = async (...args: Parameters<MemoryCloud['call']>) => refusalOf(await call(...args));

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
    'localhost/x',
    'local host',
    'localhost:999999',
    '',
    null,
  ])('must not be %s', async host => {
    const notAllowed = { status: 403, code: 'host_not_allowed' };
    for (const path of ['/healthz', '/v1/me', '/nowhere', '/d/some-slug/v1/chat/completions'])
      expect(await refused(path, { headers: { host } })).toMatchObject(notAllowed);
  });

  it("that is the cloud's own is told where endpoints are, if the request is for one", async () => {
    const { status, code, message } = await refused('/v1/chat/completions', {
      method: 'POST',
      headers: { host: 'localhost:9' },
    });
    expect([status, code]).toEqual([404, 'unknown_url']);
    expect(message).toMatch(
      /: an endpoint is at <slug>\.localhost:\d+ or under \/d\/<slug>, and this request's host is localhost:9\.$/,
    );
  });

  it('is taken from the Host header, not from the request URL', async () => {
    const statusOf = async (url: string, host: string) =>
      (await memory.cloud.fetch(new Request(url, { headers: { host } }))).status;
    expect(await statusOf('http://localhost:4100/healthz', 'evil.com')).toBe(403);
    expect(await statusOf('http://evil.com/healthz', 'localhost')).toBe(200);
  });

  it('must match --domain when it is set', async () => {
    const address = { url: 'https://c.example', deploymentDomain: 'c.example', names: ['c.example'] };
    const domain = await openMemoryCloud({ address });
    for (const [host, status] of [
      ['c.example', 200],
      ['C.Example:443', 200],
      ['x.c.example', 404],
      ['x.y.c.example', 403],
      ['localhost', 403],
      ['c.example.evil.com', 403],
      ['example', 403],
      ['ac.example', 403],
    ] as const)
      expect([host, (await domain.call('/healthz', { headers: { host } })).status]).toEqual([host, status]);
    await domain.close();
  });

  it.each([
    [
      '/d/helpdesk/v1/chat/completions',
      /: endpoints of this cloud are at <slug>\.c\.example, and not under \/d\/\.$/,
    ],
    [
      '/v1/chat/completions',
      /: an endpoint is at <slug>\.c\.example, and this request's host is c\.example\.$/,
    ],
    ['/nowhere', /^There is no \/nowhere here\.$/],
  ])('is told where the endpoints of a domain are: %s', async (path, told) => {
    const address = { url: 'https://c.example', deploymentDomain: 'c.example', names: ['c.example'] };
    const domain = await openMemoryCloud({ address });
    const response = await domain.call(path, { method: 'POST', headers: { host: 'c.example' } });
    expect(await refusalOf(response)).toMatchObject({ status: 404, message: expect.stringMatching(told) });
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

  it.each(pages)('is refused on the API, and may call endpoints: %o', async headers => {
    for (const path of ['/healthz', '/v1/cloud?nonce=1', '/v1/me', '/nowhere', '/d']) {
      const response = await call(path, { headers });
      expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
      expect(await refusalOf(response)).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    }
    for (const [host, path] of [
      ['no-such.localhost', '/v1/chat/completions'],
      ['localhost', '/d/no-such/v1/chat/completions'],
    ] as const) {
      const init = { method: 'POST', headers: { ...headers, host } };
      expect(await refused(path, init)).toMatchObject({ status: 404, code: 'deployment_not_found' });
    }
  });

  it('cannot sign up, even with the secret', async () => {
    const headers = { origin: 'http://evil.com', 'x-svc-cloud-secret': SECRET };
    const init = { method: 'POST', headers, json: { kind: 'cli' } };
    expect((await call('/v1/auth/anonymous', init)).status).toBe(403);
  });

  it.each<Record<string, string>>([
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' },
  ])('is distinguished from programs without these headers and from direct navigation: %o', async headers => {
    expect((await call('/healthz', { headers })).status).toBe(200);
  });
});

it.each(['/d/../v1/me', '/d/%2e%2e/v1/me', '/d/x/../../v1/me', '/d//../../v1/me'])(
  'a path that leaves /d/ with .. is an API path: %s',
  async path => {
    const headers = { origin: 'http://evil.com' };
    expect(await refused(path, { headers })).toMatchObject({ code: 'origin_not_allowed' });
    expect(await refused(path)).toMatchObject({ code: 'unauthenticated' });
  },
);

it.each(['/d/..%2fv1%2fme', '/d/..%5cv1', '/d/%00', '/d/'])(
  'a path that stays under /d/ is an endpoint path: %s',
  async path => {
    expect(await refused(path)).toMatchObject({ code: 'deployment_not_found' });
  },
);
