// A job's events passed through Studio: unchanged, from the cursor, while both ends are connected.
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ApiError, type ErrorCode } from '../../lib/contract/index.js';
import { type EventWriter, eventStream } from '../../lib/http/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { JOB_ID } from '../support/samples.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { openStudio, refusalOf, type TestStudio } from './open-studio.js';

let test: TestStudio;

const EVENTS = `/api/jobs/${JOB_ID}/events`;
const AWAY = 'retry: 3000\n\n';

async function open(streamJobEvents: () => unknown): Promise<void> {
  test = await openStudio({ streamJobEvents });
  await test.link();
}

/** A cloud route that streams what `write` sends. */
const stream = (write: (writer: EventWriter) => Promise<void>) => () => eventStream(write, { retryMs: 7 });
const text = (body: string) => () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });

const seenBefore = (last?: string) => (last === undefined ? {} : { headers: { 'last-event-id': last } });

describe('the stream at GET /api/jobs/:id/events', () => {
  it('passes on ids, names and data unchanged', async () => {
    const frames = [
      'id: 1\nevent: training.started\ndata: {"model": "é 🙂",  "n": 1.50}\n\n',
      'id: 2\nevent: training.log\ndata: {"step": 1}\n\n',
      'id: 3\nevent: training.log\ndata: two\ndata: lines\n\n',
      'id: 4\nevent: end\ndata: {"status": "completed"}\n\n',
    ].join('');
    await open(text(`retry: 1\n\n: ping\n\n${frames}`));
    const response = await test.call(EVENTS);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(await response.text()).toBe(`retry: 3000\n\nretry: 1\n\n: ping\n\n${frames}`);
    expect(test.cloud.calls).toEqual([`GET /v1/jobs/${JOB_ID}/events/stream`]);
  });

  it("opens before the first event and passes on the cloud's pings", async () => {
    const source = new EventEmitter();
    const clock = createVirtualClock();
    const write = async ({ send }: EventWriter) => {
      await once(source, 'late');
      await send({ id: 1, event: 'training.log', data: 'late' });
    };
    await open(() => eventStream(write, { pingMs: 15_000, clock }));
    const called = test.call(EVENTS);
    await until(() => clock.nextMs).toBe(15_000);
    await clock.pass(15_000);
    const reader = (await called).body!.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => (await reader.read()).value;
    expect([await next(), await next()]).toEqual([AWAY, ': ping\n\n']);
    const [, pinged] = await Promise.all([clock.pass(15_000), next()]);
    expect(pinged).toBe(': ping\n\n');
    source.emit('late');
    let seen = '';
    while (!seen.includes('late')) seen += await next();
    expect(seen).toBe('id: 1\nevent: training.log\ndata: late\n\n');
    await reader.cancel();
  });

  it.each([
    ['', undefined, ''],
    ['?after=5', undefined, '&after=5'],
    ['?after=5', '9', '&after=9'],
    ['', '9', '&after=9'],
    ['?after=5', '', '&after=5'],
  ])('resumes after the cursor, and Last-Event-ID wins over ?after=: %s %s', async (query, last, sent) => {
    await open(text(''));
    await test.call(EVENTS + query, seenBefore(last));
    expect(test.cloud.requests[0]!.query.replace('?orgSlug=anon-0&projectSlug=web', '')).toBe(sent);
  });

  it.each([
    ['?after=x', undefined],
    ['?after=-1', undefined],
    ['', 'x'],
    ['?after=5', '1; 2'],
  ])('rejects an invalid cursor without calling the cloud: %s %s', async (query, last) => {
    await open(text(''));
    const refused = await refusalOf(await test.call(EVENTS + query, seenBefore(last)));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_value' });
    expect(test.cloud.calls).toEqual([]);
  });

  it('passes on a 204 after the end', async () => {
    await open(() => new Response(null, { status: 204 }));
    expect((await test.call(`${EVENTS}?after=9`)).status).toBe(204);
  });

  it.each([
    ['job_not_found', 404],
    ['unauthenticated', 401],
  ] as const)('passes on permanent errors of the cloud: %s', async (code, status) => {
    await open(() => Promise.reject(new ApiError(code, 'Refused.')));
    expect(await refusalOf(await test.call(EVENTS))).toEqual({ status, code, message: 'Refused.' });
  });
});

describe('the log at GET /api/jobs/:id/log', () => {
  const LOG = `/api/jobs/${JOB_ID}/log`;

  it('is passed on byte for byte, after the cursor', async () => {
    const lines = '{"id":"6","event":"x","data":"{}"}\n{"first": 7}\nand so on';
    test = await openStudio({
      readJobLog: () => new Response(lines, { headers: { 'content-type': 'application/x-ndjson' } }),
    });
    await test.link();
    const response = await test.call(`${LOG}?after=5`);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(await response.text()).toBe(lines);
    expect(test.cloud.calls).toEqual([`GET /v1/jobs/${JOB_ID}/log`]);
    expect(test.cloud.requests[0]!.query).toContain('&after=5');
  });

  it('is not found with a cloud that has none', async () => {
    test = await openStudio();
    await test.link();
    expect(await refusalOf(await test.call(LOG))).toMatchObject({ status: 404 });
  });
});

describe('the event stream while the cloud is unreachable', () => {
  async function expectComeBack(): Promise<void> {
    const response = await test.call(EVENTS);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe(AWAY);
  }

  it('sends a retry interval and closes, so that an EventSource keeps trying', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    let code: ErrorCode | undefined;
    const codes: ErrorCode[] = ['engine_unavailable', 'internal_error', 'engine_busy'];
    await open(() => Promise.reject(new ApiError(code!, 'Not now.')));
    for (code of codes) await expectComeBack();
    print.mockRestore();
    await test.cloud.close();
    await expectComeBack();
  });

  it('does the same when the local cloud does not start', async () => {
    const first = await openStudio();
    await first.link();
    const projectClient = () => Promise.reject(new ApiError('cloud_unreachable', 'It did not start.'));
    const env = { SVC_HOME: first.home, SVC_CLOUD_URL: first.cloud.url };
    const session = { ...openSession({ folder: first.folder, env }), projectClient };
    test = await openStudio({}, { openSession: async () => session });
    await expectComeBack();
  });

  it('ends after the received events when the cloud disconnects', async () => {
    const frame = 'id: 1\nevent: training.log\ndata: {}\n\n';
    let cut = (_: Error) => {};
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(frame));
        cut = error => controller.error(error);
      },
    });
    await open(() => new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    const reader = (await test.call(EVENTS)).body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes(frame)) seen += (await reader.read()).value;
    cut(new Error('gone'));
    expect((await reader.read()).done).toBe(true);
  });
});

describe('a client of the event stream', () => {
  it('that disconnects aborts the request to the cloud', async () => {
    let upstream: AbortSignal | undefined;
    await open(
      stream(async ({ send, signal }) => {
        upstream = signal;
        await send({ id: 1, event: 'training.log', data: '{}' });
        await once(signal, 'abort');
      }),
    );
    const reader = (await test.call(EVENTS)).body!.getReader();
    await reader.read();
    await reader.cancel();
    await until(() => upstream!.aborted).toBe(true);
  });

  it('that does not read slows down the cloud', async () => {
    const frames = 1000;
    const data = 'x'.repeat(64_000);
    let sent = 0;
    await open(
      stream(async ({ send }) => {
        for (; sent < frames; sent++) await send({ id: sent, event: 'training.log', data });
      }),
    );
    const body = (await test.call(EVENTS)).body!;
    for (let before = -1; before < sent; await sleep(300)) before = sent;
    expect(sent).toBeLessThan(frames);
    await body.cancel();
  });
});
