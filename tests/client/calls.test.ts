import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createCloudClient, createStudioClient } from '../../lib/client/index.js';
import { createCertificate } from '../engine/train/data/certificate.js';
import { sampleDeployment, sampleJob } from '../support/samples.js';

type Answer = (request: Request) => Response | Promise<Response>;

const cloud = (answer: Answer) =>
  createCloudClient({
    baseUrl: 'https://cloud.example',
    token: 't',
    fetch: async (input, init) => answer(new Request(input, init)),
  });

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const thing of open.splice(0)) thing.close();
});

describe('a call', () => {
  it('leaves out of an answer what the contract does not know', async () => {
    const { config: _, ...summary } = sampleJob();
    const client = cloud(() => Response.json({ jobs: [{ ...summary, aNewField: 1 }], page: 2 }));
    expect(await client.listJobs()).toEqual({ jobs: [summary] });
    const deployment = sampleDeployment();
    const { target } = deployment as { target: object };
    const extended = { ...deployment, target: { ...target, digest: 'x' }, aNewField: 1 };
    expect(await cloud(() => Response.json({ deployment: extended })).getDeployment('1')).toEqual({
      deployment,
    });
  });

  it('fills in blanks for what another cloud leaves out', async () => {
    const { id, name, status, createdAt } = sampleJob();
    const job = { id, name, status, createdAt };
    const blank = sampleJob({ trainer: '', orgId: '', projectId: '', startedAt: null, config: null });
    expect(await cloud(() => Response.json({ job })).getJob('x')).toEqual({ job: blank });
    const project = { id: 'p1', slug: 'app' };
    expect(
      await cloud(() => Response.json({ project })).createProject('o', { name: 'App', slug: 'app' }),
    ).toEqual({
      project: { ...project, name: '', orgId: '', createdAt: null },
    });
  });

  it('throws the envelope of an error with status, code, param, request id and the headers that go with it', async () => {
    const error = { message: 'Busy.', type: 'rate_limit_error', code: 'engine_busy', param: 'x' };
    const headers = { 'retry-after': '3', 'x-request-id': 'r1', 'set-cookie': 'a=b' };
    await expect(
      cloud(() => Response.json({ error }, { status: 429, headers })).listJobs(),
    ).rejects.toMatchObject({
      name: 'ApiError',
      status: 429,
      code: 'engine_busy',
      type: 'rate_limit_error',
      param: 'x',
      message: 'Busy.',
      requestId: 'r1',
      headers: { 'retry-after': '3' },
    });
  });

  it('keeps the message of an envelope that lacks the rest', async () => {
    const error = { message: 'taken: zebra 42', code: null };
    await expect(cloud(() => Response.json({ error }, { status: 409 })).listJobs()).rejects.toMatchObject({
      status: 409,
      code: 'unexpected_response',
      type: 'invalid_request_error',
      message: 'taken: zebra 42',
    });
  });

  it.each(['', '.', '..'])('is not made for the id %j, which would lead elsewhere', async id => {
    const client = cloud(() => {
      throw new Error('it was sent');
    });
    await expect(async () => client.deleteJob(id)).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'id',
    });
  });

  it('is not made with a token that cannot be sent, which is not quoted either', () => {
    expect(() => createCloudClient({ baseUrl: 'https://c', token: 'SECRET\nTOKEN' })).toThrow(
      'The authorization header contains invalid characters.',
    );
  });

  it.each([422, 500, 502])('keeps status %i of an answer without an envelope', async status => {
    await expect(cloud(() => new Response('<html>', { status })).listJobs()).rejects.toMatchObject({
      status,
      code: 'unexpected_response',
      message: `GET /v1/jobs failed with status ${status} and no error message.`,
    });
  });

  it('does not take another shape for an answer', async () => {
    await expect(cloud(() => Response.json({ jobs: [{ id: 7 }] })).listJobs()).rejects.toMatchObject({
      code: 'unexpected_response',
      message: 'GET /v1/jobs returned an unexpected response: `jobs[0].id` must be a string.',
    });
    await expect(cloud(() => new Response('hello')).listJobs()).rejects.toMatchObject({
      message: 'GET /v1/jobs returned something other than JSON.',
    });
  });

  it('does not follow a redirect, so that the token stays where it was issued', async () => {
    let asked = 0;
    const elsewhere = createServer((_, response) => {
      asked++;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const target = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    const server = createServer((_, response) => response.writeHead(307, { location: target }).end()).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    open.push(elsewhere, server);
    const client = createCloudClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      token: 't',
    });
    await expect(client.getMe()).rejects.toThrow(
      `GET /v1/me returned a redirect to ${target}, which svc does not follow.`,
    );
    expect(asked).toBe(0);
  });

  it('names the address when nobody answers there', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.close();
    await once(server, 'close');
    await expect(createCloudClient({ baseUrl }).getMe()).rejects.toMatchObject({
      status: 502,
      code: 'cloud_unreachable',
      message: `Cannot reach the cloud at ${baseUrl}: connection refused. Check the URL and that the cloud is running.`,
    });
    await expect(createStudioClient({ baseUrl, token: 't' }).listJobs()).rejects.toMatchObject({
      code: 'studio_unreachable',
      message: `Cannot reach Studio at ${baseUrl}: connection refused. Is \`svc dev\` still running?`,
    });
  });

  it('says why a certificate is not trusted, and is not sent again', async () => {
    const server = createTlsServer(createCertificate('localhost')).listen(0, '127.0.0.1');
    let connections = 0;
    server.on('connection', () => connections++);
    await once(server, 'listening');
    open.push(server);
    const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
    await expect(
      createCloudClient({ baseUrl }).createProject('org', { name: 'demo', slug: 'demo' } as never),
    ).rejects.toMatchObject({
      code: 'cloud_unreachable',
      message: expect.stringMatching(
        /^Cannot reach the cloud at https.*: its certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\..*NODE_EXTRA_CA_CERTS/,
      ),
    });
    expect(connections).toBe(1);
  });

  it("throws the signal's own reason when it is aborted", async () => {
    const client = cloud(
      request =>
        new Promise((_, reject) =>
          request.signal.addEventListener('abort', () => reject(request.signal.reason)),
        ),
    );
    const reason = new Error('enough');
    const aborter = new AbortController();
    const call = client.listJobs({ signal: aborter.signal });
    aborter.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('gives back the very same list while the server says that nothing changed', async () => {
    const deployments = [sampleDeployment()];
    let etag = '"1"';
    const client = cloud(request =>
      request.headers.get('if-none-match') === etag
        ? new Response(null, { status: 304, headers: { etag } })
        : Response.json({ deployments }, { headers: { etag } }),
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
    'http://localhost:4100',
    'http://127.0.0.1:1',
    'http://127.8.9.1',
    'http://[::1]:4100',
    'http://a.localhost',
  ])('may be %s', baseUrl => {
    expect(() => createCloudClient({ baseUrl })).not.toThrow();
  });

  it.each([
    'http://cloud.example',
    'http://localhost.evil.com',
    'http://127.0.0.1.nip.io',
    'ftp://localhost',
    'cloud.example',
    '',
    'http://10.0.0.1',
  ])('may not be %s, because a token would travel in the clear', baseUrl => {
    expect(() => createCloudClient({ baseUrl })).toThrow('must start with https://');
  });
});

describe('chat', () => {
  const chunk = (content: string) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  });
  const stream = (...lines: string[]) => new Response(lines.map(line => `data: ${line}\n\n`).join(''));
  const request = {
    messages: [{ role: 'user' as const, content: 'hi' }],
    baseModel: 'm',
    stream: true as const,
  };

  async function texts(response: Response): Promise<string[]> {
    const all: string[] = [];
    for await (const { choices } of cloud(() => response).chat(request)) all.push(choices[0]!.delta.content!);
    return all;
  }

  it('streams chunks until [DONE]', async () => {
    expect(await texts(stream(JSON.stringify(chunk('he')), JSON.stringify(chunk('llo')), '[DONE]'))).toEqual([
      'he',
      'llo',
    ]);
  });

  it('throws an error that comes in the middle of the stream', async () => {
    const error = {
      message: 'The engine stopped.',
      type: 'server_error',
      code: 'engine_unavailable',
      param: null,
    };
    await expect(texts(stream(JSON.stringify(chunk('he')), JSON.stringify({ error })))).rejects.toMatchObject(
      {
        code: 'engine_unavailable',
      },
    );
  });

  it('says so when a part is no JSON', async () => {
    await expect(texts(stream('{"a'))).rejects.toMatchObject({ code: 'unexpected_response' });
  });

  it('does not take a stream that broke off for a whole answer', async () => {
    await expect(texts(stream(JSON.stringify(chunk('he'))))).rejects.toThrow('ended early');
  });

  it('answers one document when it is not streamed', async () => {
    const completion = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    const client = cloud(() => Response.json(completion));
    expect(await client.chat({ messages: [{ role: 'user', content: 'hi' }], baseModel: 'm' })).toEqual(
      completion,
    );
  });
});
