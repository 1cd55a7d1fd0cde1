// Clouds that accept and say nothing, stop in the middle, or are merely slow.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createCloudClient, createStudioClient, type TimeLimits } from '../../lib/client/index.js';
import { createPatientFetch } from '../../lib/client/node.js';
import { sampleJob } from '../support/samples.js';
import { type SilentServer, startSilentServer } from '../support/silent-server.js';

let server: SilentServer;
afterEach(() => server.close());

const scope = { orgSlug: 'o', projectSlug: 'p' };
/** Long for what is not looked at. */
const limits: TimeLimits = { connectMs: 60_000, answerMs: 60_000, workMs: 60_000, idleMs: 60_000 };
const SHORT_MS = 60;
/** Over both of the ways that calls can go. */
const fetches = { 'the platform': fetch, 'our own': createPatientFetch(limits) };

const head = (type: string, more = '') => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${more}\r\n`;
const chat = { messages: [{ role: 'user' as const, content: 'hi' }], baseModel: 'm' };

async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const part of stream) all.push(part);
  return all;
}

describe.each(Object.entries(fetches))('over the fetch of %s, a cloud', (_, fetch) => {
  const client = (more: Partial<TimeLimits> = {}) =>
    createCloudClient({ baseUrl: server.url, scope, fetch, limits: { ...limits, ...more } });

  it('that accepts and never answers is given up, and the error says so', async () => {
    server = await startSilentServer();
    const message = `Cannot reach the cloud at ${server.url}: no answer for 0.06 s. Check the URL and that the cloud is running.`;
    const refused = { code: 'cloud_unreachable', status: 502, message };
    const hasty = { answerMs: SHORT_MS };
    await expect(client(hasty).listJobs()).rejects.toMatchObject(refused);
    await expect(collect(client(hasty).chat({ ...chat, stream: true }))).rejects.toMatchObject(refused);
    await expect(
      createStudioClient({ baseUrl: server.url, token: 't', fetch, limits: hasty }).listJobs(),
    ).rejects.toMatchObject({ code: 'studio_unreachable' });
    expect(server.accepted).toBeGreaterThan(0);
  });

  it('whose answer stops in the middle is given up', async () => {
    server = await startSilentServer(socket =>
      socket.write(`${head('application/json', 'Content-Length: 100\r\n')}{"jobs"`),
    );
    await expect(client({ idleMs: SHORT_MS }).listJobs()).rejects.toMatchObject({
      code: 'unexpected_response',
      message: 'GET /v1/jobs returned an incomplete response.',
    });
  });

  it('whose refusal stops in the middle is given up', async () => {
    server = await startSilentServer(socket =>
      socket.write('HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\n{"error"'),
    );
    await expect(client({ idleMs: SHORT_MS }).listJobs()).rejects.toMatchObject({
      code: 'unexpected_response',
      status: 500,
    });
  });

  it('whose stream of chat falls silent is given up, and one that sends comments is not', async () => {
    server = await startSilentServer(async socket => {
      socket.write(head('text/event-stream'));
      for (let i = 0; i < 8; i++) {
        await pause(100);
        socket.write(': ping\n\n');
      }
    });
    const started = performance.now();
    await expect(collect(client({ idleMs: 500 }).chat({ ...chat, stream: true }))).rejects.toMatchObject({
      code: 'unexpected_response',
      message: 'The response ended early.',
    });
    expect(performance.now() - started).toBeGreaterThan(8 * 100 - 50);
  });

  it('whose adapter stops in the middle is given up', async () => {
    server = await startSilentServer(socket =>
      socket.write(`${head('application/x-tar', 'Content-Length: 9\r\n')}x`),
    );
    const response = await client({ idleMs: SHORT_MS }).downloadArtifact(sampleJob().id, 'final');
    await expect(response.arrayBuffer()).rejects.toThrow('No data for 0.06 s.');
  });

  it('that only drips is waited for', async () => {
    const text = '{"jobs":[]}';
    server = await startSilentServer(async socket => {
      socket.write(head('application/json', `Content-Length: ${text.length}\r\n`));
      for (const letter of text) {
        await pause(10);
        socket.write(letter);
      }
    });
    expect(await client().listJobs()).toEqual({ jobs: [] });
  });

  it('may take longer for a whole chat, and to store an upload, than for other answers', async () => {
    server = await startSilentServer(async socket => {
      await pause(200);
      const body = JSON.stringify({
        error: { message: 'Late.', type: 'x', code: 'engine_busy', param: null },
      });
      socket.write(`HTTP/1.1 429 Busy\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    const hasty = client({ answerMs: SHORT_MS });
    await expect(hasty.chat(chat)).rejects.toMatchObject({ code: 'engine_busy' });
    await expect(hasty.uploadDataset('rows.jsonl', new Uint8Array(3))).rejects.toMatchObject({
      code: 'engine_busy',
    });
  });
});

it('events that are asked for again and again do not wait for a cloud that is silent', async () => {
  server = await startSilentServer();
  const stop = new AbortController();
  const client = createCloudClient({ baseUrl: server.url, scope, limits: { answerMs: SHORT_MS } });
  const errors: string[] = [];
  const options = {
    signal: stop.signal,
    firstRetryMs: 1,
    onInterrupted: (error: Error) => {
      errors.push(error.message);
      if (errors.length === 2) stop.abort();
    },
  };
  await expect(collect(client.streamJobEvents('x', options))).rejects.toThrow('aborted');
  expect(errors[0]).toContain('no answer for 0.06 s');
});
