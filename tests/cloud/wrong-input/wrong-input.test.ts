// Invalid input to every route: the response is an error envelope with the right status, and nothing changes. Every
// route of the contract needs an entry in `good`; a new route fails the first test until it has one.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  CLOUD_SECRET_HEADER,
  cloudRoutes,
  edgeRoutes,
  errorEnvelope,
  type Route,
} from '../../../lib/contract/index.js';
import { SECRET } from '../serve/memory-cloud.js';
import { EDGE, type Good, good } from './good-requests.js';
import { openSampleInput, type SampleInput } from './sample.js';
import { withOtherTypes, withStrangers } from './wrong-bodies.js';

const table: Record<string, Route> = { ...cloudRoutes, [EDGE]: edgeRoutes[EDGE]! };
type Case = [name: string, route: Route, good: Good];
const cases: Case[] = Object.entries(good).map(([name, how]) => [name, table[name]!, how]);
const takesJson = ({ body }: Route) => body !== undefined && body !== 'bytes';
const withBody = cases.filter(([, route]) => takesJson(route));
const withoutBody = cases.filter(([, { body, method }]) => body === undefined && method !== 'GET');
const withId = cases.filter(([, , { missing }]) => missing !== undefined);
const withQuery = cases.filter(([, { query }]) => query !== undefined);
const ofProject = withQuery.filter(([name]) => name !== 'getCloud');
const isEdge = (name: string) => name === EDGE;

let sample: SampleInput;
let before: unknown;
beforeAll(async () => {
  sample = await openSampleInput();
  const { own, memory } = sample;
  const target = { kind: 'base_model', baseModel: 'test/model' } as const;
  const client = memory.client(own.token, own.scope);
  await client.createDeployment({ slug: 'open-bot', target, authMode: 'none' });
  before = await sample.snapshot();
});
afterAll(() => sample.close());
afterEach(async () => {
  const [was, is] = [before, await sample.snapshot()];
  before = is;
  expect(is).toEqual(was);
  expect(sample.memory.logged.filter(line => 'requestId' in (line as object))).toEqual([]);
});

interface Sent {
  method?: string;
  path?: string;
  query?: Record<string, string>;
  headers?: Record<string, string | null>;
  body?: string | Uint8Array | ReadableStream | null;
  json?: unknown;
}

/** Calls a route with its valid request, except for the given overrides. */
async function call([name, route, how]: Case, sent: Sent = {}): Promise<Response> {
  const { own, memory } = sample;
  const query = new URLSearchParams({
    ...how.query,
    ...(sent.query ?? (route.query && name !== 'getCloud' ? { ...own.scope } : {})),
  });
  const isJson = takesJson(route);
  const given = isJson ? JSON.stringify(sent.json ?? how.body?.(own)) : route.body && '{"text":"new"}\n';
  const body = sent.body === undefined ? given : sent.body;
  return memory.call(`${sent.path ?? how.path(own)}?${query}`, {
    method: sent.method ?? route.method,
    headers: {
      ...(how.caller === undefined && { authorization: `Bearer ${own.token}` }),
      ...(how.caller === 'secret' && { [CLOUD_SECRET_HEADER]: SECRET }),
      ...(route.body && { 'content-type': isJson ? 'application/json' : 'application/octet-stream' }),
      ...sent.headers,
    },
    ...(body != null && { body, duplex: 'half' }),
  } as Parameters<typeof memory.call>[1]);
}

/** The error in a response, checked against the contract. */
async function refusal(response: Response) {
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(response.headers.get('x-request-id')).toBeTruthy();
  const { error } = errorEnvelope.parse(await response.json());
  expect(error.message).not.toMatch(/\/tmp\/|SQLITE|undefined|\[object/);
  return { status: response.status, code: error.code, param: error.param };
}

async function expectRefused(row: Case, sent: Sent, refused: object): Promise<void> {
  expect(await refusal(await call(row, sent))).toMatchObject(refused);
}

describe('the list of valid requests', () => {
  it('covers every route of the contract', () => {
    expect(Object.keys(good).sort()).toEqual(Object.keys(table).sort());
    for (const [name, route, how] of cases) {
      expect([name, how.body !== undefined]).toEqual([name, takesJson(route)]);
      expect([name, how.missing !== undefined]).toEqual([name, route.path.includes(':')]);
    }
  });
});

describe.each(withBody)('the body of %s', (...row) => {
  const [name, , how] = row;

  it.each([
    ['nothing', ''],
    ['truncated', '{"a":'],
    ['invalid JSON', 'kind=cli'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('may not be %s', async (_, body) => {
    await expectRefused(row, { body }, { status: 400, code: 'invalid_json' });
  });

  it.each([[null], [[]], ['text'], [7], [true]])('may not be %j', async json => {
    await expectRefused(row, { body: JSON.stringify(json) }, { status: 400, code: 'invalid_value' });
  });

  it('may not be of another type, or of none', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      null,
    ])
      await expectRefused(
        row,
        { headers: { 'content-type': type } },
        { status: 415, code: 'unsupported_media_type' },
      );
  });

  it('may not be larger than 4 MiB, with or without a Content-Length', async () => {
    const body = JSON.stringify({ ...how.body!(sample.own), padding: 'x'.repeat(4 * 1024 ** 2) });
    for (const sent of [body, new Blob([body]).stream()])
      await expectRefused(row, { body: sent }, { status: 413, code: 'body_too_large' });
  });

  it('may not have a field of another type', async () => {
    for (const [path, json] of withOtherTypes(how.body!(sample.own))) {
      const { status, code, param } = await refusal(await call(row, { json }));
      expect([path, status, code]).toEqual([
        path,
        400,
        expect.stringMatching(/^(invalid_value|unknown_field|unsupported_parameter)$/),
      ]);
      expect([path, param]).toEqual([path, expect.stringContaining(path.split('.')[0]!)]);
    }
  });

  if (!isEdge(name) && name !== 'chat')
    it('may not have a null field unless null has a meaning', async () => {
      for (const field of Object.keys(how.body!(sample.own)).filter(known => known !== 'runRetentionDays')) {
        const { status, code } = await refusal(
          await call(row, { json: { ...how.body!(sample.own), [field]: null } }),
        );
        expect([field, status, code]).toEqual([field, 400, 'invalid_value']);
      }
    });

  if (!isEdge(name))
    it('may not have an unknown field at any depth', async () => {
      for (const [path, json] of withStrangers(how.body!(sample.own))) {
        const { status, code, param } = await refusal(await call(row, { json }));
        expect([status, code, param]).toEqual([400, 'unknown_field', path]);
      }
    });

  it('may not be nested too deeply', async () => {
    const [first] = Object.keys(how.body!(sample.own));
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `${open.repeat(300_000)}1${close.repeat(300_000)}`;
      await expectRefused(row, { body: `{"${first}":${deep}}` }, { status: 400, code: 'invalid_value' });
    }
  });

  it('may not pollute Object.prototype', async () => {
    const text = JSON.stringify(how.body!(sample.own));
    const body = text.replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},');
    await call(row, { body: isEdge(name) ? body.replace('"messages"', '"message"') : body }).then(refusal);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe.each(withoutBody)('a body sent to %s, which takes none', (...row) => {
  it('is refused', async () => {
    for (const [body, code] of [
      ['{"surely":"unknown"}', 'unknown_field'],
      ['[]', 'invalid_value'],
      ['no JSON', 'invalid_json'],
    ] as const)
      await expectRefused(row, { body }, { status: 400, code });
  });
});

describe('an upload', () => {
  const row = cases.find(([name]) => name === 'uploadDataset')!;

  it('may not be of another type, or of none', async () => {
    for (const type of ['application/json', 'text/csv', null])
      await expectRefused(row, { headers: { 'content-type': type } }, { status: 415 });
  });

  it('may not have a Content-Length over 2 GiB', async () => {
    const headers = { 'content-length': String(2 * 1024 ** 3 + 1) };
    await expectRefused(row, { headers }, { status: 413, code: 'body_too_large' });
  });

  it.each([
    ['nothing', ''],
    ['no rows', '{"a":1}\n'],
    ['half a row', '{"text":"a"}\n{"te'],
    ['bytes', new Uint8Array([0, 1, 2, 255])],
  ])('may not be %s', async (_, body) => {
    for (const name of ['rows.jsonl', '../../rows.jsonl', 'rows', '', '%00', '..%2f..%2fcloud.db']) {
      await expectRefused(
        row,
        { body, headers: { 'x-filename': name } },
        { status: 400, code: 'dataset_invalid' },
      );
    }
  });
});

describe.each(withQuery)('the query of %s', (...row) => {
  const [name] = row;

  it('may not have an unknown parameter', async () => {
    const query = name === 'getCloud' ? { nonce: 'n' } : { ...sample.own.scope };
    const answer = await call(row, { query: { ...query, surplus: '1' } });
    expect(await refusal(answer)).toEqual({ status: 400, code: 'unknown_field', param: 'surplus' });
  });
});

describe.each(ofProject)('the scope of %s', (...row) => {
  it('may not be missing or empty', async () => {
    for (const query of [{}, { orgSlug: '', projectSlug: '' }, { projectSlug: 'one' }])
      await expectRefused(row, { query }, { status: 400, code: 'invalid_value' });
  });

  it('may not belong to another user or not exist', async () => {
    const { orgSlug } = sample.own.scope;
    for (const query of [
      { ...sample.foreign.scope },
      { orgSlug: '../..', projectSlug: 'one' },
      { orgSlug: "' OR 1=1 --", projectSlug: '%' },
      ...(row[0].endsWith('Projects') || row[0] === 'createProject'
        ? []
        : [{ orgSlug, projectSlug: 'none' }]),
    ])
      await expectRefused(row, { query }, { status: 404, code: 'project_not_found' });
  });
});

describe.each(withId)('the ids of %s', (...row) => {
  const [, route, how] = row;
  const parts = route.path.match(/:\w+/g)!;

  /** The address with another text for one of its ids. */
  function withPart(part: string, text: string): string {
    const [names, values] = [route.path.split('/'), how.path(sample.own).split('/')];
    values[names.indexOf(part)] = text;
    return values.join('/');
  }

  it('may not belong to another user', async () => {
    await expectRefused(row, { path: how.path(sample.foreign) }, { status: 404, code: how.missing });
  });

  it.each([
    '00000000-0000-4000-8000-000000000000',
    'nothing',
    '%2e%2e%2f%2e%2e%2fcloud.db',
    '..%2f..%2fetc%2fpasswd',
    '..%5c..%5cwindows',
    '%00',
    'a%00b',
    '%25',
    "'%20OR%20'1'='1",
    '%F0%9F%A6%8A',
    'final%2F..%2Ffinal',
    'x'.repeat(5000),
  ])('may not be $0', async text => {
    for (const part of parts) {
      const { status, code } = await refusal(await call(row, { path: withPart(part, text) }));
      expect([status, code]).toEqual([expect.any(Number), expect.stringMatching(/_not_found$/)]);
      expect(status).toBe(code === 'target_not_found' ? 400 : 404);
    }
  });

  it('may not be invalid percent-encoding', async () => {
    for (const part of parts) await expectRefused(row, { path: withPart(part, '%zz') }, { status: 400 });
  });
});

describe.each(cases)('%s', (...row) => {
  const [, route, { caller }] = row;

  it('accepts no other method', async () => {
    for (const method of ['PUT', 'TRACE-ME', 'OPTIONS']) {
      const answer = await call(row, { method, body: null });
      expect(answer.headers.get('allow')).toContain(route.method);
      expect(await refusal(answer)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    }
  });

  it('answers 404 for a longer path', async () => {
    const path = `${row[2].path(sample.own)}/further/than/that`;
    await expectRefused(row, { path }, { status: 404, code: 'unknown_url' });
  });

  if (caller !== 'anyone')
    it('refuses unauthenticated callers', async () => {
      const strangers = [
        { authorization: null, [CLOUD_SECRET_HEADER]: null },
        { authorization: 'Basic x', [CLOUD_SECRET_HEADER]: 'x' },
        { authorization: `Bearer svc_anon_${'x'.repeat(43)}`, [CLOUD_SECRET_HEADER]: `${SECRET}x` },
        { authorization: 'Bearer a b', [CLOUD_SECRET_HEADER]: '' },
      ];
      for (const headers of strangers) {
        const { status, code } = await refusal(await call(row, { headers }));
        const isSignUp = row[0] === 'signUpAnonymously';
        expect([status, code]).toEqual(isSignUp ? [403, 'anonymous_disabled'] : [401, 'unauthenticated']);
      }
    });
});
