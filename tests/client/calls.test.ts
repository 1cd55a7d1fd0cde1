// What a call sends, what it makes of the answer, and to which addresses a token may be sent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { describe, expect, it } from 'vitest';
import { assertSecureUrl, createCloudClient, createStudioClient } from '../../lib/client/index.js';
import { isLoopbackHost } from '../../lib/contract/index.js';
import { createCertificate } from '../engine/train/data/certificate.js';
import { listening } from '../support/listening.js';
import { sampleDeployment, sampleJob } from '../support/samples.js';
import { collect } from './support/collect.js';

type Answer = (request: Request) => Response | Promise<Response>;

const cloud = (answer: Answer) =>
  createCloudClient({
    baseUrl: 'https://cloud.example',
    token: 't',
    fetch: async (input, init) => answer(new Request(input, init)),
  });
const answering = (body: unknown, init?: ResponseInit) => cloud(() => Response.json(body, init));

describe('a call', () => {
  it('leaves out of an answer what the contract does not know', async () => {
    const { config: _, ...summary } = sampleJob();
    const listed = await answering({ jobs: [{ ...summary, aNewField: 1 }], page: 2 }).listJobs();
    expect(listed).toEqual({ jobs: [summary] });
    const deployment = sampleDeployment();
    const target = { ...deployment.target, digest: 'x' };
    const got = await answering({ deployment: { ...deployment, target, aNewField: 1 } }).getDeployment('1');
    expect(got).toEqual({ deployment });
  });

  it('fills in blanks for what another cloud leaves out', async () => {
    const { id, name, status, createdAt } = sampleJob();
    const blank = sampleJob({ trainer: '', orgId: '', projectId: '', startedAt: null, config: null });
    const got = await answering({ job: { id, name, status, createdAt } }).getJob('x');
    expect(got).toEqual({ job: blank });
    const project = { id: 'p1', slug: 'app' };
    const created = await answering({ project }).createProject('o', { name: 'App', slug: 'app' });
    expect(created).toEqual({ project: { ...project, name: '', orgId: '', createdAt: null } });
  });

  it('throws the envelope of an error with all that goes with it, but for headers that do not', async () => {
    const fields = { message: 'Busy.', type: 'rate_limit_error', code: 'engine_busy', param: 'x' };
    const headers = { 'retry-after': '3', 'x-request-id': 'r1', 'set-cookie': 'a=b' };
    const told = {
      ...fields,
      name: 'ApiError',
      status: 429,
      requestId: 'r1',
      headers: { 'retry-after': '3' },
    };
    const client = answering({ error: fields }, { status: 429, headers });
    await expect(client.listJobs()).rejects.toMatchObject(told);
  });

  it('keeps the message of an envelope that lacks the rest', async () => {
    const message = 'taken: zebra 42';
    const told = { status: 409, code: 'unexpected_response', type: 'invalid_request_error', message };
    const client = answering({ error: { message, code: null } }, { status: 409 });
    await expect(client.listJobs()).rejects.toMatchObject(told);
  });

  it.each(['', '.', '..'])('is not made for the id %j, which would lead elsewhere', async id => {
    const client = cloud(() => Promise.reject(new Error('it was sent')));
    const refused = { code: 'invalid_value', param: 'id' };
    await expect(async () => client.deleteJob(id)).rejects.toMatchObject(refused);
  });

  it('is not made with a token that cannot be sent, which is not quoted either', () => {
    const message = 'The authorization header contains invalid characters.';
    expect(() => createCloudClient({ baseUrl: 'https://c', token: 'SECRET\nTOKEN' })).toThrow(message);
  });

  it.each([422, 500, 502])('keeps status %i of an answer without an envelope', async status => {
    const message = `GET /v1/jobs failed with status ${status} and no error message.`;
    const told = { status, code: 'unexpected_response', message };
    await expect(cloud(() => new Response('<html>', { status })).listJobs()).rejects.toMatchObject(told);
  });

  it.each([
    ['another shape', '{"jobs":[{"id":7}]}', 'an unexpected response: `jobs[0].id` must be a string.'],
    ['other words', 'hello', 'something other than JSON.'],
  ])('does not take %s for an answer', async (_, body, what) => {
    const told = { code: 'unexpected_response', message: `GET /v1/jobs returned ${what}` };
    await expect(cloud(() => new Response(body)).listJobs()).rejects.toMatchObject(told);
  });

  it('does not follow a redirect, so that the token stays where it was issued', async () => {
    let asked = 0;
    const elsewhere = createServer((_, response) => {
      asked++;
      response.end('{}');
    });
    const location = `${await listening(elsewhere)}/`;
    const at = await listening(createServer((_, response) => response.writeHead(307, { location }).end()));
    await expect(createCloudClient({ baseUrl: at, token: 't' }).getMe()).rejects.toThrow(
      `GET /v1/me returned a redirect to ${location}, which svc does not follow.`,
    );
    expect(asked).toBe(0);
  });

  it('names the address when nobody answers there', async () => {
    const server = createServer();
    const baseUrl = await listening(server);
    await once(server.close(), 'close');
    const why = `at ${baseUrl}: connection refused.`;
    const noCloud = `Cannot reach the cloud ${why} Check the URL and that the cloud is running.`;
    const away = { status: 502, code: 'cloud_unreachable', message: noCloud };
    await expect(createCloudClient({ baseUrl }).getMe()).rejects.toMatchObject(away);
    const noStudio = `Cannot reach Studio ${why} Is \`svc dev\` still running?`;
    const gone = { code: 'studio_unreachable', message: noStudio };
    await expect(createStudioClient({ baseUrl, token: 't' }).listJobs()).rejects.toMatchObject(gone);
  });

  it('says why a certificate is not trusted, and is not sent again', async () => {
    const server = createTlsServer(createCertificate('localhost'));
    let connections = 0;
    server.on('connection', () => connections++);
    const baseUrl = (await listening(server)).replace('127.0.0.1', 'localhost');
    const creating = createCloudClient({ baseUrl }).createProject('org', { name: 'demo', slug: 'demo' });
    const why =
      /^Cannot reach the cloud at https.*: its certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\./;
    await expect(creating).rejects.toMatchObject({
      code: 'cloud_unreachable',
      message: expect.stringMatching(why),
    });
    await expect(creating).rejects.toThrow('NODE_EXTRA_CA_CERTS');
    expect(connections).toBe(1);
  });

  it("throws the signal's own reason when it is aborted", async () => {
    const client = cloud(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const reason = new Error('enough');
    const aborter = new AbortController();
    const call = client.listJobs({ signal: aborter.signal });
    aborter.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('gives back the very same list while the server says that nothing changed', async () => {
    let etag = '"1"';
    const client = cloud(request =>
      request.headers.get('if-none-match') === etag
        ? new Response(null, { status: 304, headers: { etag } })
        : Response.json({ deployments: [sampleDeployment()] }, { headers: { etag } }),
    );
    const first = await client.listDeployments();
    expect(await client.listDeployments()).toBe(first);
    etag = '"2"';
    const second = await client.listDeployments();
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
  });
});

describe("a cloud's address", () => {
  it.each([
    'https://cloud.example',
    'https://cloud.example/base/',
    'http://localhost:4100',
    'http://demo.localhost:4100',
    'http://127.0.0.1',
    'http://127.8.9.10:80',
    'http://[::1]:4100',
  ])('may be %s', url => expect(assertSecureUrl(url)).toBe(url));

  it.each([
    '',
    'cloud.example',
    'http://cloud.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1',
    'http://notlocalhost',
    'ftp://localhost',
  ])('may not be %s, because a token would travel in the clear', baseUrl => {
    expect(() => assertSecureUrl(baseUrl)).toThrow(`"${baseUrl}" is not a valid cloud URL`);
    expect(() => createCloudClient({ baseUrl })).toThrow('must start with https://');
  });

  it.each(['https://me@cloud.example', 'https://:secret@cloud.example', 'http://me:secret@localhost'])(
    'has no user or password, and the error does not repeat them: %s',
    url => {
      const error = new TypeError('A cloud URL must not contain a user name or password.');
      expect(() => assertSecureUrl(url)).toThrow(error);
    },
  );

  it('is of this machine by its whole name only', () => {
    const [own, others] = [
      ['LOCALHOST', 'a.b.localhost', '127.0.0.1'],
      ['localhost.', 'a_b.localhost', '127.0.0', '[::2]', '128.0.0.1'],
    ];
    expect([own!.every(isLoopbackHost), others!.filter(isLoopbackHost)]).toEqual([true, []]);
  });
});

describe("a cloud's health", () => {
  const health = (status: number, body: unknown) => answering(body, { status }).getHealth();
  const error = { message: 'Starting.', type: 'server_error', code: 'internal_error' };

  it('is an answer where the cloud is degraded, and an error while it starts or is broken', async () => {
    const ok = { status: 'ok', idle: true };
    expect(await health(200, ok)).toEqual(ok);
    for (const more of [{ idle: false }, { error }])
      expect(await health(503, { status: 'degraded', ...more })).toMatchObject({ status: 'degraded' });
    await expect(health(503, { error })).rejects.toMatchObject({ status: 503, message: 'Starting.' });
    await expect(health(500, { status: 'degraded' })).rejects.toMatchObject({ status: 500 });
  });
});

describe('chat', () => {
  const common = { id: 'chatcmpl-1', created: 1, model: 'm' };
  const chunk = (content: string) => {
    const choices = [{ index: 0, delta: { content }, finish_reason: null }];
    return JSON.stringify({ ...common, object: 'chat.completion.chunk', choices });
  };
  const request = { messages: [{ role: 'user' as const, content: 'hi' }], baseModel: 'm' };

  async function texts(...lines: string[]): Promise<string[]> {
    const client = cloud(() => new Response(lines.map(line => `data: ${line}\n\n`).join('')));
    const chunks = await collect(client.chat({ ...request, stream: true }));
    return chunks.map(({ choices }) => choices[0]!.delta.content!);
  }

  it('streams chunks until [DONE], an error, a part that is no JSON, or a broken line', async () => {
    expect(await texts(chunk('he'), chunk('llo'), '[DONE]')).toEqual(['he', 'llo']);
    const fields = { message: 'The engine stopped.', type: 'server_error', param: null };
    const error = JSON.stringify({ error: { ...fields, code: 'engine_unavailable' } });
    await expect(texts(chunk('he'), error)).rejects.toMatchObject({ code: 'engine_unavailable' });
    await expect(texts('{"a')).rejects.toMatchObject({ code: 'unexpected_response' });
    await expect(texts(chunk('he'))).rejects.toThrow('ended early');
  });

  it('answers one document when it is not streamed', async () => {
    const message = { role: 'assistant', content: 'hello' };
    const completion = {
      ...common,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    expect(await answering(completion).chat(request)).toEqual(completion);
  });
});
