import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ApiError, created, defineRoutes, errorEnvelope, json } from '../../lib/contract/index.js';
import { createApp, type LogLine } from '../../lib/http/index.js';

const routes = defineRoutes({
  getThing: {
    method: 'GET',
    path: '/api/things/:id',
    summary: '',
    query: z.strictObject({ after: z.optional(z.string()) }),
    answer: json(z.object({ id: z.string(), after: z.optional(z.string()) })),
  },
  createThing: {
    method: 'POST',
    path: '/api/things',
    summary: '',
    body: z.strictObject({ name: z.string() }),
    answer: created(z.object({ name: z.string() })),
  },
  upload: {
    method: 'POST',
    path: '/api/blobs',
    summary: '',
    body: 'bytes',
    answer: json(z.object({ bytes: z.number() })),
  },
  poke: { method: 'POST', path: '/api/poke', summary: '', answer: json(z.object({ pokes: z.number() })) },
  fail: { method: 'GET', path: '/api/fail/:how', summary: '', answer: json(z.object({})) },
});

const logged: LogLine[] = [];
let pokes = 0;
beforeEach(() => {
  logged.splice(0);
  pokes = 0;
});

const app = createApp({
  guard: request => {
    if (request.headers.get('x-evil')) throw new ApiError('host_not_allowed', 'Not you.');
  },
  log: line => logged.push(line),
}).mount(routes, {
  getThing: ({ params, query }) => ({ id: params.id, ...query }),
  createThing: ({ body }) => ({ name: body.name }),
  upload: async ({ body }) => {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.byteLength;
    return { bytes };
  },
  poke: () => ({ pokes: ++pokes }),
  fail: ({ params }) => {
    if (params.how === 'known')
      throw new ApiError('slug_taken', 'Taken.', { headers: { 'x-should-retry': 'false' } });
    throw new Error('the password is hunter2');
  },
});

const call = (path: string, init?: RequestInit) => app.fetch(new Request(`http://localhost${path}`, init));
const post = (path: string, body: string | Uint8Array, type = 'application/json') =>
  call(path, { method: 'POST', body: body as string, headers: { 'content-type': type } });

async function refusalOf(response: Response) {
  const { error } = errorEnvelope.parse(await response.json());
  return { status: response.status, code: error.code, param: error.param, message: error.message };
}

describe('an app', () => {
  it("answers with the handler's result and the status of the route", async () => {
    const got = await call('/api/things/7?after=3');
    expect(got.status).toBe(200);
    expect(await got.json()).toEqual({ id: '7', after: '3' });
    const made = await post('/api/things', '{"name":"a"}');
    expect(made.status).toBe(201);
    expect(await made.json()).toEqual({ name: 'a' });
  });

  it('decodes path parameters, including escaped slashes', async () => {
    expect(await (await call('/api/things/a%20b%2F..%2Fc')).json()).toEqual({ id: 'a b/../c' });
  });

  it('gives each response a unique request id', async () => {
    const ids = [await call('/api/things/7'), await call('/nope'), await call('/api/fail/x')].map(response =>
      response.headers.get('x-request-id'),
    );
    expect(ids.every(id => /^[0-9a-f-]{36}$/.test(id ?? ''))).toBe(true);
    expect(new Set(ids).size).toBe(3);
  });

  it('runs the guard before routing', async () => {
    for (const path of ['/api/things/7', '/nope', '/%zz']) {
      const refused = await call(path, { headers: { 'x-evil': '1' } });
      expect(await refusalOf(refused)).toMatchObject({ status: 403, code: 'host_not_allowed' });
    }
  });

  it('adds a request id to a response with immutable headers', async () => {
    const elsewhere = Response.redirect('http://localhost/x', 302);
    expect(() => elsewhere.headers.set('a', 'b')).toThrow();
    const relay = createApp({ log: () => {} }).fallback(() => elsewhere);
    const response = await relay.fetch(new Request('http://localhost/'));
    expect(response.status).toBe(302);
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('answers 400 to an invalid URL, such as one with an impossible port', async () => {
    const request = new Request('http://localhost/');
    Object.defineProperty(request, 'url', { value: 'http://localhost:99999/' });
    expect(await refusalOf(await app.fetch(request))).toMatchObject({ status: 400, code: 'invalid_value' });
  });

  it('answers unknown URLs, wrong methods and malformed URLs with the error envelope', async () => {
    const long = await refusalOf(await call(`/${'x'.repeat(8000)}`));
    expect(long.message).toMatch(/^There is no \/x{199}… here\.$/);
    expect(await refusalOf(await call('/nope'))).toMatchObject({ status: 404, code: 'unknown_url' });
    expect(await refusalOf(await call('/api/things/7/x'))).toMatchObject({
      status: 404,
      code: 'unknown_url',
    });
    expect(await refusalOf(await call('/api/%zz'))).toMatchObject({ status: 400, code: 'invalid_value' });
    const wrong = await call('/api/things/7', { method: 'DELETE' });
    expect(wrong.headers.get('allow')).toBe('GET');
    expect(await refusalOf(wrong)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect((await call('/api/things/7/', { method: 'DELETE' })).status).toBe(405);
    expect((await call('/api/things/7', { method: 'HEAD' })).status).toBe(405);
    expect((await call('/api/things/7', { method: 'OPTIONS' })).status).toBe(405);
  });

  it('passes unmatched requests to the fallback, but not a wrong method of a route', async () => {
    const withPages = createApp({ log: () => {} })
      .mount(routes, {} as never)
      .fallback(() => new Response('page'));
    const fetch = (path: string, method = 'GET') =>
      withPages.fetch(new Request(`http://localhost${path}`, { method }));
    expect(await (await fetch('/index.html')).text()).toBe('page');
    expect((await fetch('/api/things', 'PATCH')).status).toBe(405);
  });

  it('returns an ApiError with its headers and does not log it', async () => {
    const response = await call('/api/fail/known');
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await refusalOf(response)).toMatchObject({ status: 409, code: 'slug_taken', message: 'Taken.' });
    expect(logged).toEqual([]);
  });

  it('hides an unexpected error from the client and logs it under the request id', async () => {
    const response = await call('/api/fail/unknown?secret=1');
    const text = await response.clone().text();
    expect(text).not.toContain('hunter2');
    expect(await refusalOf(response)).toMatchObject({ status: 500, code: 'internal_error' });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({
      requestId: response.headers.get('x-request-id'),
      method: 'GET',
      path: '/api/fail/unknown',
      error: expect.objectContaining({ message: 'the password is hunter2' }),
    });
  });

  it('sends no cross-origin headers', async () => {
    const response = await call('/api/things/7', { headers: { origin: 'http://evil.com' } });
    expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('a JSON body', () => {
  it.each([
    ['{"name":', 'application/json', 400, 'invalid_json', null],
    ['', 'application/json', 400, 'invalid_json', null],
    ['{"name":"a","x":1}', 'application/json', 400, 'unknown_field', 'x'],
    ['{"name":7}', 'application/json', 400, 'invalid_value', 'name'],
    ['{"__proto__":{"name":"a"}}', 'application/json', 400, 'invalid_value', 'name'],
    ['[]', 'application/json', 400, 'invalid_value', null],
    ['{"name":"a"}', 'text/plain', 415, 'unsupported_media_type', null],
    ['{"name":"a"}', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type', null],
    ['{"name":"a"}', 'application/jsonp', 415, 'unsupported_media_type', null],
  ])('%s as %s is refused with %i', async (body, type, status, code, param) => {
    expect(await refusalOf(await post('/api/things', body, type))).toMatchObject({ status, code, param });
  });

  it('may name its charset, and is read as UTF-8', async () => {
    const response = await post('/api/things', '{"name":"é"}', 'Application/JSON; charset=utf-8');
    expect(await response.json()).toEqual({ name: 'é' });
    const broken = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    expect(await refusalOf(await post('/api/things', broken))).toMatchObject({ code: 'invalid_json' });
  });

  it('is refused over 4 MiB, with or without a Content-Length', async () => {
    const body = `{"name":"${'x'.repeat(4 * 1024 ** 2)}"}`;
    expect(await refusalOf(await post('/api/things', body))).toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
    const stream = new Blob([body]).stream();
    const streamed = await call('/api/things', {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit);
    expect(await refusalOf(streamed)).toMatchObject({ status: 413, code: 'body_too_large' });
  });
});

describe('the body of a route that takes none', () => {
  it.each(['', ' \n', '{}', ' {} '])('may be %j, with any content type', async body => {
    for (const type of ['application/json', 'text/plain'])
      expect((await post('/api/poke', body, type)).status).toBe(200);
    expect((await call('/api/poke', { method: 'POST' })).status).toBe(200);
    expect(pokes).toBe(3);
  });

  it.each([
    ['{"x":1}', 400, 'unknown_field', 'x'],
    ['[]', 400, 'invalid_value', null],
    ['null', 400, 'invalid_value', null],
    ['x=1', 400, 'invalid_json', null],
    [new Uint8Array([0xff]), 400, 'invalid_json', null],
    [' '.repeat(4 * 1024 ** 2 + 1), 413, 'body_too_large', null],
  ])('is refused before the handler if it has content: $0', async (body, status, code, param) => {
    expect(await refusalOf(await post('/api/poke', body, 'text/plain'))).toMatchObject({
      status,
      code,
      param,
    });
    expect(pokes).toBe(0);
  });
});

describe('an upload', () => {
  it('must be application/octet-stream, and may exceed the limit of JSON bodies', async () => {
    const bytes = new Uint8Array(5 * 1024 ** 2);
    expect(await (await post('/api/blobs', bytes, 'application/octet-stream')).json()).toEqual({
      bytes: bytes.length,
    });
    expect(await refusalOf(await post('/api/blobs', '{}'))).toMatchObject({ status: 415 });
  });

  it('can be refused before the rest of it arrives', async () => {
    const app = createApp({ log: () => {} }).mount(
      { upload: routes.upload },
      {
        upload: async ({ body }) => {
          for await (const _ of body) throw new ApiError('storage_unavailable', 'Full.');
          return { bytes: 0 };
        },
      },
    );
    const body = new ReadableStream<Uint8Array>({ start: sender => sender.enqueue(Buffer.from('x')) });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await app.fetch(new Request('http://localhost/api/blobs', { ...init, headers }));
    expect(await refusalOf(response)).toMatchObject({ status: 503, code: 'storage_unavailable' });
  });

  it('is refused immediately when its Content-Length is over 2 GiB', async () => {
    const response = await call('/api/blobs', {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(2 * 1024 ** 3 + 1) },
    });
    expect(await refusalOf(response)).toMatchObject({
      status: 413,
      message: 'The body is larger than 2 GiB.',
    });
  });
});
