// A job's events passed through Studio: unchanged, from the cursor, while both ends are connected.
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ApiError, type ErrorCode, type LoggedSteps, readBatch } from '../../lib/contract/index.js';
import { type EventWriter, eventStream } from '../../lib/http/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { gatherEvents } from '../../lib/studio/handlers/job-events.js';
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
    expect(test.cloud.requests[0]!.headers.has('x-svc-event-batches')).toBe(false);
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

describe('the stream in batches', () => {
  const block = (id: number, data = `{"step":${id}}`) => `id: ${id}\nevent: training.log\ndata: ${data}\n\n`;
  const blocksTo = (last: number) => Array.from({ length: last }, (_, at) => block(at + 1)).join('');
  const gather = (text: string) => {
    const { bytes, rest } = gatherEvents(text);
    return [bytes && new TextDecoder().decode(bytes), rest];
  };

  it('asks the cloud for them, and passes on what it sends, byte for byte', async () => {
    const told = `${blocksTo(40)}id: 99\nevent: batch\ndata: whatever\n\n`;
    const headers = { 'content-type': 'text/event-stream', 'x-svc-event-batches': '1' };
    await open(() => new Response(told, { headers }));
    expect(await (await test.call(`${EVENTS}?batch=1`)).text()).toBe(AWAY + told);
    expect(test.cloud.requests[0]!.headers.get('x-svc-event-batches')).toBe('1');
  });

  it('makes them of the single events of a cloud that has none', async () => {
    await open(text(`retry: 1\n\n: ping\n\n${blocksTo(40)}`));
    const lines = await (await test.call(`${EVENTS}?batch=1`)).text();
    expect(lines).toContain(AWAY);
    const messages = Array.from(lines.matchAll(/^id: (\d+)\nevent: (.*)\ndata: (.*)$/gm));
    const ids = messages.flatMap(([, id, event, data]) => {
      const logged = event === 'batch' ? (readBatch(data!) as LoggedSteps[]) : [{ length: 1 }];
      const count = logged.reduce((sum, { length = 1 }) => sum + length, 0);
      return Array.from({ length: count }, (_, at) => Number(id) - count + 1 + at);
    });
    expect(ids).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  it('gathers those that arrived as a whole into a message with the number of the last', () => {
    const odd = block(1, '{"step": 1.0}');
    const [bytes, rest] = gather(`${blocksTo(31).replace(block(1), odd)}id: 32\nev`);
    expect(rest).toBe('id: 32\nev');
    const [, id, data] = /^id: (\d+)\nevent: batch\ndata: (.*)\n\n$/s.exec(bytes!)!;
    expect(id).toBe('31');
    const [first, others] = readBatch(data!);
    expect(first).toEqual({ id: '1', event: 'training.log', data: '{"step": 1.0}' });
    expect((others as LoggedSteps).length).toBe(30);
    expect((others as LoggedSteps).data(29)).toBe('{"step":31}');
    expect(gather(rest!)).toEqual([null, rest]);
  });

  it.each([
    ['one alone', block(7)],
    ['only a few', blocksTo(5)],
    ['a comment among them', `${blocksTo(30)}: ping\n\n${block(31)}`],
    ['the time to wait', AWAY],
    ['something behind them that is none', `${blocksTo(30)}data: unnamed\n\n`],
    ['data of several lines', `${blocksTo(30)}id: 31\nevent: training.log\ndata: {\ndata: }\n\n`],
  ])('passes them as they came where there is %s', (_, given) => {
    expect(gather(given)).toEqual([given, '']);
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
    test = await openStudio({}, { session });
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
