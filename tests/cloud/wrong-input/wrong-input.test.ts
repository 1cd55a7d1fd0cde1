// Invalid input to every route: the response is an error envelope with the right status, and nothing changes. A new
// route that takes a body fails the first test until `good` has one.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  CLOUD_SECRET_HEADER,
  cloudRoutes,
  edgeRoutes,
  errorEnvelope,
  type Route,
} from '../../../lib/contract/index.js';
import { SECRET } from '../host/memory-cloud.js';
import { EDGE, type Good, good, missingOf, pathOf } from './good-requests.js';
import { openSampleInput, type SampleInput } from './sample.js';
import { withOtherTypes, withStrangers } from './wrong-bodies.js';

const table: Record<string, Route> = { ...cloudRoutes, [EDGE]: edgeRoutes[EDGE]! };
type Case = [name: string, route: Route, good: Good];
const given: Record<string, Good> = good;
const cases: Case[] = Object.entries(table).map(([name, route]) => [name, route, given[name] ?? {}]);
const takesJson = ({ body }: Route) => body !== undefined && body !== 'bytes';
const withBody = cases.filter(([, route]) => takesJson(route));
const guarded = cases.filter(([, , { caller }]) => caller !== 'anyone');
const withId = cases.filter(([, { path }]) => path.includes(':'));
const withQuery = cases.filter(([, { query }]) => query !== undefined);
const ofProject = withQuery.filter(([name]) => name !== 'getCloud');

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
  path?: string;
  query?: Record<string, string>;
  headers?: Record<string, string | null>;
  body?: string | Uint8Array | ReadableStream;
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
  const valid = isJson ? JSON.stringify(sent.json ?? how.body?.(own)) : route.body && '{"text":"new"}\n';
  const body = sent.body === undefined ? valid : sent.body;
  return memory.call(`${sent.path ?? pathOf(name, route, own)}?${query}`, {
    method: route.method,
    headers: {
      ...(how.caller === undefined && { authorization: `Bearer ${own.token}` }),
      ...(how.caller === 'secret' && { [CLOUD_SECRET_HEADER]: SECRET }),
      ...(route.body && { 'content-type': isJson ? 'application/json' : 'application/octet-stream' }),
      ...sent.headers,
    },
    ...(body != null && { body, duplex: 'half' }),
  } as Parameters<typeof memory.call>[1]);
}

/** What a route answers, which has to be an error of the contract that tells nothing of the inside. */
async function refusal(row: Case, sent: Sent) {
  const response = await call(row, sent);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(response.headers.get('x-request-id')).toBeTruthy();
  const { error } = errorEnvelope.parse(await response.json());
  expect(error.message).not.toMatch(/\/tmp\/|SQLITE|undefined|\[object/);
  return { sent, status: response.status, code: error.code, param: error.param };
}

async function expectRefused(row: Case, sent: Sent, status: number, code: string): Promise<void> {
  expect(await refusal(row, sent)).toMatchObject({ sent, status, code });
}

it('all routes that take a body have a valid one here, and no others', () => {
  expect(cases.filter(([, , { body }]) => body).map(([name]) => name)).toEqual(
    withBody.map(([name]) => name),
  );
  expect(Object.keys(table)).toEqual(expect.arrayContaining(Object.keys(good)));
});

const NULLABLE = ['canary', 'runRetentionDays'];

describe.each(withBody)('the body of %s', (...row) => {
  const [name, , how] = row;
  const isEdge = name === EDGE;

  it('must be a JSON object', async () => {
    for (const body of ['', '{"a":', 'kind=cli', new Uint8Array([0x22, 0xff, 0x22])])
      await expectRefused(row, { body }, 400, 'invalid_json');
    for (const body of ['null', '[]', '"text"', '7', 'true'])
      await expectRefused(row, { body }, 400, 'invalid_value');
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      null,
    ])
      await expectRefused(row, { headers: { 'content-type': type } }, 415, 'unsupported_media_type');
  });

  it('may not be larger than 4 MiB, with or without a Content-Length, nor nested too deeply', async () => {
    const body = JSON.stringify({ ...how.body!(sample.own), padding: 'x'.repeat(4 * 1024 ** 2) });
    for (const large of [body, new Blob([body]).stream()])
      expect(await refusal(row, { body: large })).toMatchObject({ status: 413, code: 'body_too_large' });
    const [first] = Object.keys(how.body!(sample.own));
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `{"${first}":${open.repeat(300_000)}1${close.repeat(300_000)}}`;
      expect(await refusal(row, { body: deep })).toMatchObject({ status: 400, code: 'invalid_value' });
    }
  });

  it('may not have a field of another type', async () => {
    const code = expect.stringMatching(/^(invalid_value|unknown_field|unsupported_parameter)$/);
    for (const [path, json] of withOtherTypes(how.body!(sample.own))) {
      const param = expect.stringContaining(path.split('.')[0]!);
      expect(await refusal(row, { json })).toMatchObject({ sent: { json }, status: 400, code, param });
    }
  });

  if (!isEdge)
    it('may not have an unknown field at any depth, or null where that means nothing', async () => {
      for (const [path, json] of withStrangers(how.body!(sample.own)))
        expect(await refusal(row, { json })).toMatchObject({
          status: 400,
          code: 'unknown_field',
          param: path,
        });
      const fields = Object.keys(how.body!(sample.own)).filter(field => !NULLABLE.includes(field));
      for (const field of name === 'chat' ? [] : fields)
        await expectRefused(row, { json: { ...how.body!(sample.own), [field]: null } }, 400, 'invalid_value');
    });

  it('may not pollute Object.prototype', async () => {
    const text = JSON.stringify(how.body!(sample.own));
    const body = text.replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},');
    await refusal(row, { body: isEdge ? body.replace('"messages"', '"message"') : body });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

it('an upload may not be empty or without rows, whatever its name', async () => {
  const row = cases.find(([name]) => name === 'uploadDataset')!;
  for (const body of ['', '{"a":1}\n', '{"text":"a"}\n{"te', new Uint8Array([0, 1, 2, 255])])
    for (const name of ['rows.jsonl', '../../rows.jsonl', 'rows', '', '%00', '..%2f..%2fcloud.db'])
      await expectRefused(row, { body, headers: { 'x-filename': name } }, 400, 'dataset_invalid');
});

it.each(withQuery)('the query of %s may not have an unknown parameter', async (...row) => {
  const query = row[0] === 'getCloud' ? { nonce: 'n' } : { ...sample.own.scope };
  const refused = { status: 400, code: 'unknown_field', param: 'surplus' };
  expect(await refusal(row, { query: { ...query, surplus: '1' } })).toMatchObject(refused);
});

it.each(ofProject)(
  'the scope of %s may not be missing, empty, unknown or that of another user',
  async (...row) => {
    for (const query of [{}, { orgSlug: '', projectSlug: '' }, { projectSlug: 'one' }])
      await expectRefused(row, { query }, 400, 'invalid_value');
    const { orgSlug } = sample.own.scope;
    const isOfOrg = row[0] === 'listProjects' || row[0] === 'createProject';
    for (const query of [
      { ...sample.foreign.scope },
      { orgSlug: '../..', projectSlug: 'one' },
      { orgSlug: "' OR 1=1 --", projectSlug: '%' },
      ...(isOfOrg ? [] : [{ orgSlug, projectSlug: 'none' }]),
    ])
      await expectRefused(row, { query }, 404, 'project_not_found');
  },
);

describe.each(withId)('the ids of %s', (...row) => {
  const [name, route] = row;
  const parts = route.path.match(/:\w+/g)!;

  /** The address with another text for one of its ids. */
  function withPart(part: string, text: string): string {
    const [names, values] = [route.path.split('/'), pathOf(name, route, sample.own).split('/')];
    values[names.indexOf(part)] = text;
    return values.join('/');
  }

  it('may not belong to another user', async () => {
    await expectRefused(row, { path: pathOf(name, route, sample.foreign) }, 404, missingOf(route));
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
    for (const path of parts.map(part => withPart(part, text))) {
      const { status, code } = await refusal(row, { path });
      expect([status, code]).toEqual([expect.any(Number), expect.stringMatching(/_not_found$/)]);
      expect(status).toBe(code === 'target_not_found' ? 400 : 404);
    }
  });

  it('may not be invalid percent-encoding', async () => {
    for (const part of parts)
      expect(await refusal(row, { path: withPart(part, '%zz') })).toMatchObject({ status: 400 });
  });
});

it.each(guarded)('%s refuses unauthenticated callers', async (...row) => {
  const refused = row[0] === 'signUpAnonymously' ? 'anonymous_disabled' : 'unauthenticated';
  for (const headers of [
    { authorization: null, [CLOUD_SECRET_HEADER]: null },
    { authorization: 'Basic x', [CLOUD_SECRET_HEADER]: 'x' },
    { authorization: `Bearer svc_anon_${'x'.repeat(43)}`, [CLOUD_SECRET_HEADER]: `${SECRET}x` },
    { authorization: 'Bearer a b', [CLOUD_SECRET_HEADER]: '' },
  ])
    await expectRefused(row, { headers }, refused === 'unauthenticated' ? 401 : 403, refused);
});
