import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ApiError, created, defineRoutes, errorEnvelope, json } from '../../lib/contract/index.js';
import { createApp, type LogLine } from '../../lib/http/index.js';
import { EMPTY, EVENTS, get, post } from './support/routes.js';

const routes = defineRoutes({
  getThing: {
    ...get('/api/things/:id', json(z.object({ id: z.string(), after: z.optional(z.string()) }))),
    query: z.strictObject({ after: z.optional(z.string()) }),
  },
  createThing: post(
    '/api/things',
    z.strictObject({ name: z.string() }),
    created(z.object({ name: z.string() })),
  ),
  upload: post('/api/blobs', 'bytes', json(z.object({ bytes: z.number() }))),
  poke: { method: 'POST', path: '/api/poke', summary: '', response: json(z.object({ pokes: z.number() })) },
  fail: get('/api/fail/:how', EMPTY),
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
const quiet = { log: () => {} };
const OCTETS = { 'content-type': 'application/octet-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

const requestTo = (path: string, init?: object) => new Request(`http://localhost${path}`, init);
const call = (path: string, init?: object) => app.fetch(requestTo(path, init));
const send = (path: string, body: string | Uint8Array, type = 'application/json') =>
  call(path, { method: 'POST', body, headers: { 'content-type': type } });

async function refusalOf(answer: Response | Promise<Response>) {
  const response = await answer;
  const { error } = errorEnvelope.parse(await response.json());
  return { status: response.status, code: error.code, param: error.param, message: error.message };
}

describe('an app', () => {
  it("answers with the handler's result, for decoded parameters, and the route's status", async () => {
    const answers = [await call('/api/things/7?after=3'), await send('/api/things', '{"name":"a"}')];
    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
    const bodies = await Promise.all(answers.map(answer => answer.json()));
    expect(bodies).toEqual([{ id: '7', after: '3' }, { name: 'a' }]);
    expect(await (await call('/api/things/a%20b%2F..%2Fc')).json()).toEqual({ id: 'a b/../c' });
  });

  it('gives each response a unique request id, also one with immutable headers', async () => {
    const elsewhere = Response.redirect('http://localhost/x', 302);
    expect(() => elsewhere.headers.set('a', 'b')).toThrow();
    const relayed = await createApp(quiet)
      .fallback(() => elsewhere)
      .fetch(requestTo('/'));
    const own = await Promise.all(['/api/things/7', '/nope', '/api/fail/x'].map(path => call(path)));
    expect([relayed, ...own].map(({ status }) => status)).toEqual([302, 200, 404, 500]);
    const ids = [relayed, ...own].map(({ headers }) => headers.get('x-request-id') ?? '');
    expect(ids.every(id => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(4);
  });

  it.each(['/api/things/7', '/nope', '/%zz'])('runs the guard before routing: %s', async path => {
    const refused = { status: 403, code: 'host_not_allowed' };
    expect(await refusalOf(call(path, { headers: { 'x-evil': '1' } }))).toMatchObject(refused);
  });

  it('answers 400 to an invalid URL, such as one with an impossible port', async () => {
    const request = requestTo('/');
    Object.defineProperty(request, 'url', { value: 'http://localhost:99999/' });
    expect(await refusalOf(app.fetch(request))).toMatchObject({ status: 400, code: 'invalid_value' });
  });

  it.each([
    ['GET', '/nope', 404, 'unknown_url'],
    ['GET', '/api/things/7/x', 404, 'unknown_url'],
    ['GET', '/api/%zz', 400, 'invalid_value'],
    ['DELETE', '/api/things/7', 405, 'method_not_allowed'],
    ['DELETE', '/api/things/7/', 405, 'method_not_allowed'],
    ['OPTIONS', '/api/things/7', 405, 'method_not_allowed'],
  ])('answers %s %s with %i in the error envelope', async (method, path, status, code) => {
    const answer = await call(path, { method });
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : null);
    expect(await refusalOf(answer)).toMatchObject({ status, code });
  });

  it('answers HEAD as GET where that gets a document, without it', async () => {
    const [full, head] = await Promise.all(
      ['GET', 'HEAD'].map(method => call('/api/things/7?after=3', { method })),
    );
    const typeOf = ({ headers }: Response) => headers.get('content-type');
    expect([head!.status, typeOf(head!), head!.body]).toEqual([200, typeOf(full!), null]);
    const streams = createApp(quiet).mount(defineRoutes({ stream: get('/stream', EVENTS) }), {
      stream: () => new Response('data: 1\n\n'),
    });
    const refused = await streams.fetch(requestTo('/stream', { method: 'HEAD' }));
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await call('/api/poke', { method: 'HEAD' })).headers.get('allow')).toBe('POST');
  });

  it('quotes the beginning of a long URL', async () => {
    const { message } = await refusalOf(call(`/${'x'.repeat(8000)}`));
    expect(message).toMatch(/^There is no \/x{199}… here\.$/);
  });

  it('passes unmatched requests to the fallback, but not a wrong method of a route', async () => {
    const withPages = createApp(quiet)
      .mount(routes, {} as never)
      .fallback(() => new Response('page'));
    expect(await (await withPages.fetch(requestTo('/index.html'))).text()).toBe('page');
    expect((await withPages.fetch(requestTo('/api/things', { method: 'PATCH' }))).status).toBe(405);
  });

  it('returns an ApiError with its headers and does not log it', async () => {
    const response = await call('/api/fail/known');
    expect(response.headers.get('x-should-retry')).toBe('false');
    const refused = { status: 409, code: 'slug_taken', message: 'Taken.' };
    expect(await refusalOf(response)).toMatchObject(refused);
    expect(logged).toEqual([]);
  });

  it('hides an unexpected error from the client and logs it under the request id', async () => {
    const response = await call('/api/fail/unknown?secret=1');
    expect(await response.clone().text()).not.toContain('hunter2');
    expect(await refusalOf(response)).toMatchObject({ status: 500, code: 'internal_error' });
    const requestId = response.headers.get('x-request-id');
    const error = expect.objectContaining({ message: 'the password is hunter2' });
    expect(logged).toMatchObject([{ requestId, method: 'GET', path: '/api/fail/unknown', error }]);
  });

  it('answers an unexpected error in the envelope also when it cannot be logged', async () => {
    const log = () => {
      throw new Error('The disk is full.');
    };
    const fail = () => {
      throw new Error('the password is hunter2');
    };
    const withGuard = createApp({ log, guard: fail });
    const withRoute = createApp({ log }).fallback(fail);
    for (const { fetch } of [withGuard, withRoute])
      expect(await refusalOf(fetch(requestTo('/')))).toMatchObject({ status: 500, code: 'internal_error' });
  });

  it('sends no cross-origin headers', async () => {
    const { headers } = await call('/api/things/7', { headers: { origin: 'http://evil.com' } });
    expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('a compressed JSON body', () => {
  const sendAs = (coding: string, body: Uint8Array) =>
    call('/api/things', { method: 'POST', body, headers: { ...JSON_TYPE, 'content-encoding': coding } });
  const plain = Buffer.from('{"name":"é"}');
  const bomb = Buffer.alloc(64 * 1024 ** 2, ' ');

  it.each([
    ['gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity', plain],
    ['', plain],
  ])('with %s is read', async (coding, body) =>
    expect(await (await sendAs(coding, body)).json()).toEqual({ name: 'é' }),
  );

  it.each([
    ['gzip', gzipSync(bomb), 413, 'body_too_large'],
    [
      'br',
      brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      413,
      'body_too_large',
    ],
    ['gzip', Buffer.alloc(4 * 1024 ** 2 + 1), 413, 'body_too_large'],
    ['gzip', gzipSync(plain).subarray(0, -9), 400, 'invalid_value'],
    ['gzip', plain, 400, 'invalid_value'],
    ['gzip', gzipSync('{"name":'), 400, 'invalid_json'],
    ['zstd', plain, 415, 'unsupported_media_type'],
    ['gzip, gzip', gzipSync(gzipSync(plain)), 415, 'unsupported_media_type'],
  ])('with %s is refused if it is too large or broken', async (coding, body, status, code) =>
    expect(await refusalOf(sendAs(coding, body))).toMatchObject({ status, code }),
  );
});

describe('a JSON body', () => {
  it.each([
    ['{"name":', 'application/json', 400, 'invalid_json', null],
    ['', 'application/json', 400, 'invalid_json', null],
    ['{"name":"a","x":1}', 'application/json', 400, 'unknown_field', 'x'],
    ['{"name":7}', 'application/json', 400, 'invalid_value', 'name'],
    ['{"__proto__":{"name":"a"}}', 'application/json', 400, 'invalid_value', 'name'],
    ['[]', 'application/json', 400, 'invalid_value', null],
    [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json', 400, 'invalid_json', null],
    ['{"name":"a"}', 'text/plain', 415, 'unsupported_media_type', null],
    ['{"name":"a"}', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type', null],
    ['{"name":"a"}', 'application/jsonp', 415, 'unsupported_media_type', null],
  ])('%s as %s is refused with %i', async (body, type, status, code, param) =>
    expect(await refusalOf(send('/api/things', body, type))).toMatchObject({ status, code, param }),
  );

  it('may name its charset, is UTF-8, and is refused over 4 MiB, with a length or without', async () => {
    const response = await send('/api/things', '{"name":"é"}', 'Application/JSON; charset=utf-8');
    expect(await response.json()).toEqual({ name: 'é' });
    const text = `{"name":"${'x'.repeat(4 * 1024 ** 2)}"}`;
    for (const body of [text, new Blob([text]).stream()]) {
      const init = { method: 'POST', body, duplex: 'half', headers: JSON_TYPE };
      const refused = { status: 413, code: 'body_too_large' };
      expect(await refusalOf(call('/api/things', init))).toMatchObject(refused);
    }
  });
});

it.each(['', ' \n', '{}', ' {} '])(
  'the body of a route that takes none may be %j, with any content type',
  async body => {
    const typed = ['application/json', 'text/plain'].map(type => send('/api/poke', body, type));
    const answers = await Promise.all([...typed, call('/api/poke', { method: 'POST' })]);
    expect([answers.map(({ status }) => status), pokes]).toEqual([[200, 200, 200], 3]);
  },
);

it.each([
  ['{"x":1}', 400, 'unknown_field', 'x'],
  ['[]', 400, 'invalid_value', null],
  ['null', 400, 'invalid_value', null],
  ['x=1', 400, 'invalid_json', null],
  [new Uint8Array([0xff]), 400, 'invalid_json', null],
  [' '.repeat(4 * 1024 ** 2 + 1), 413, 'body_too_large', null],
])(
  'the body of a route that takes none is refused before the handler if it has content: $0',
  async (body, status, code, param) => {
    expect(await refusalOf(send('/api/poke', body, 'text/plain'))).toMatchObject({ status, code, param });
    expect(pokes).toBe(0);
  },
);

describe('an upload', () => {
  it('must be application/octet-stream, and may exceed the limit of JSON bodies', async () => {
    const body = new Uint8Array(5 * 1024 ** 2);
    const taken = await call('/api/blobs', { method: 'POST', body, headers: OCTETS });
    expect(await taken.json()).toEqual({ bytes: body.length });
    expect(await refusalOf(send('/api/blobs', '{}'))).toMatchObject({ status: 415 });
  });

  it('can be refused before the rest of it arrives', async () => {
    const full = createApp(quiet).mount(defineRoutes({ upload: routes.upload }), {
      upload: async ({ body }) => {
        for await (const _ of body) throw new ApiError('storage_unavailable', 'Full.');
        return { bytes: 0 };
      },
    });
    const body = new ReadableStream<Uint8Array>({ start: sender => sender.enqueue(Buffer.from('x')) });
    const request = requestTo('/api/blobs', { method: 'POST', body, duplex: 'half', headers: OCTETS });
    expect(await refusalOf(full.fetch(request))).toMatchObject({ status: 503, code: 'storage_unavailable' });
  });

  it('is refused immediately when its Content-Length is over 2 GiB', async () => {
    const headers = { ...OCTETS, 'content-length': String(2 * 1024 ** 3 + 1) };
    const refused = { status: 413, message: 'The body is larger than 2 GiB.' };
    expect(await refusalOf(call('/api/blobs', { method: 'POST', body: 'x', headers }))).toMatchObject(
      refused,
    );
  });
});
