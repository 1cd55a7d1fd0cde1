// Clouds that accept and say nothing, stop in the middle, or are merely slow.
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCloudClient, createStudioClient } from '../../lib/client/index.js';
import { createPatientFetch } from '../../lib/client/patient-fetch.js';
import { TIME_LIMITS } from '../../lib/client/time-limits.js';
import { sampleJob } from '../support/samples.js';
import { type SilentServer, startSilentServer } from '../support/silent-server.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { collect } from './support/collect.js';

let server: SilentServer;
let clock: ReturnType<typeof createVirtualClock>;
beforeEach(() => {
  clock = createVirtualClock();
});
afterEach(() => server.close());

const scope = { orgSlug: 'o', projectSlug: 'p' };
const { answerMs, idleMs, workMs } = TIME_LIMITS;
/** Over both of the ways that calls can go. */
const fetches = { 'the platform': fetch, 'our own': createPatientFetch() };

const head = (type: string, more = '') => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${more}\r\n`;
const chat = { messages: [{ role: 'user' as const, content: 'hi' }], baseModel: 'm' };

/** Until the client waits for so long from now: it has read all that was sent. */
const waitsFor = (ms: number) => until(() => clock.nextMs).toBe(ms);

/** How the call ends, which must be at its limit and not a millisecond before. */
async function endOf(call: Promise<unknown>, limitMs: number): Promise<unknown> {
  let end: unknown;
  const ended = call.then(
    value => (end = value),
    error => (end = error),
  );
  await waitsFor(limitMs);
  await clock.pass(limitMs - 1);
  expect(end).toBeUndefined();
  await clock.pass(1);
  await ended;
  return end;
}

describe.each(Object.entries(fetches))('over the fetch of %s, a cloud', (_, fetch) => {
  const client = () => createCloudClient({ baseUrl: server.url, scope, fetch, clock });

  it('that accepts and never answers is given up, and the error says so', async () => {
    server = await startSilentServer();
    const where = `Cannot reach the cloud at ${server.url}`;
    const message = `${where}: no answer for 30 s. Check the URL and that the cloud is running.`;
    const refused = { code: 'cloud_unreachable', status: 502, message };
    expect(await endOf(client().listJobs(), answerMs)).toMatchObject(refused);
    expect(await endOf(collect(client().chat({ ...chat, stream: true })), answerMs)).toMatchObject(refused);
    const studio = createStudioClient({ baseUrl: server.url, token: 't', fetch, clock });
    expect(await endOf(studio.listJobs(), 180_000)).toMatchObject({ code: 'studio_unreachable' });
    expect(server.accepted).toBeGreaterThan(0);
  });

  it.each([
    ['answer', '200 OK', 502],
    ['refusal', '500 No', 500],
  ])('whose %s stops in the middle is given up', async (_, line, status) => {
    const begun = `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"jobs"`;
    server = await startSilentServer(socket => socket.write(begun));
    const message = 'GET /v1/jobs returned an incomplete response.';
    const told = { code: 'unexpected_response', status, ...(status === 502 && { message }) };
    expect(await endOf(client().listJobs(), idleMs)).toMatchObject(told);
  });

  it('whose stream of chat falls silent is given up, and one that sends comments is not', async () => {
    let socket!: Socket;
    server = await startSilentServer(asked => {
      socket = asked;
      socket.write(head('text/event-stream'));
    });
    const reading = collect(client().chat({ ...chat, stream: true }));
    for (let pings = 0; pings < 3; pings++) {
      await waitsFor(idleMs);
      await clock.pass(idleMs - 1);
      socket.write(': ping\n\n');
    }
    const told = { code: 'unexpected_response', message: 'The response ended early.' };
    expect(await endOf(reading, idleMs)).toMatchObject(told);
  });

  it('whose adapter stops in the middle is given up', async () => {
    server = await startSilentServer(socket =>
      socket.write(`${head('application/x-tar', 'Content-Length: 9\r\n')}x`),
    );
    const response = await client().downloadArtifact(sampleJob().id, 'final');
    expect(await endOf(response.arrayBuffer(), idleMs)).toMatchObject({ message: 'No data for 60 s.' });
  });

  it('that only drips is waited for', async () => {
    const parts = ['{"jobs"', ':[', ']}'];
    server = await startSilentServer(async socket => {
      socket.write(head('application/json', `Content-Length: ${parts.join('').length}\r\n`));
      for (const part of parts) {
        await waitsFor(idleMs);
        await clock.pass(idleMs - 1);
        socket.write(part);
      }
    });
    expect(await client().listJobs()).toEqual({ jobs: [] });
    expect(clock.elapsed()).toBe(3 * (idleMs - 1));
  });

  it('may take longer for a whole chat, and to store an upload, than for other answers', async () => {
    server = await startSilentServer(async socket => {
      await clock.pass(workMs - 1);
      const error = { message: 'Late.', type: 'x', code: 'engine_busy', param: null };
      const body = JSON.stringify({ error });
      socket.write(`HTTP/1.1 429 Busy\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    for (const call of [
      () => client().chat(chat),
      () => client().uploadDataset('a.jsonl', new Uint8Array(3)),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'engine_busy' });
  });
});

it('events that are asked for again and again do not wait for a cloud that is silent', async () => {
  server = await startSilentServer(() => void clock.pass(answerMs));
  const stop = new AbortController();
  const client = createCloudClient({ baseUrl: server.url, scope, clock });
  const errors: string[] = [];
  const options = {
    signal: stop.signal,
    onInterrupted: (error: Error, ms: number) => {
      errors.push(error.message);
      if (errors.length === 2) stop.abort();
      void clock.pass(ms);
    },
  };
  await expect(collect(client.streamJobEvents('x', options))).rejects.toThrow('aborted');
  expect(errors[0]).toContain('no answer for 30 s');
});
