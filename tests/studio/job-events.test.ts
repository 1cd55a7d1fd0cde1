// A job's events passed through Studio: unchanged, from the cursor, while both ends are connected.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, LoggedSteps, readBatch, type StreamedEvents } from '../../lib/contract/index.js';
import { type EventWriter, eventStream } from '../../lib/http/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { JOB_ID, openStudio, refusalOf, type TestStudio } from './open-studio.js';

let test: TestStudio;
afterEach(() => test.close());

const EVENTS = `/api/jobs/${JOB_ID}/events`;
const AWAY = 'retry: 3000\n\n';

interface Input {
  request: Request;
  query: Record<string, string>;
}

async function open(streamJobEvents: (input: Input) => unknown): Promise<void> {
  test = await openStudio({ streamJobEvents });
  await test.beKnown();
  await test.writeState();
}

/** A cloud route that streams what `write` sends. */
const stream = (write: (writer: EventWriter) => Promise<void>) => () => eventStream(write, { retryMs: 7 });
const text = (body: string) => () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });

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
    let write = (_: string) => {};
    const late = new Promise<string>(resolve => {
      write = resolve;
    });
    const clock = createVirtualClock();
    await open(() =>
      eventStream(async ({ send }) => send({ id: 1, event: 'training.log', data: await late }), {
        pingMs: 15_000,
        clock,
      }),
    );
    const called = test.call(EVENTS);
    await until(() => clock.nextMs).toBe(15_000);
    await clock.pass(15_000);
    const reader = (await called).body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('retry: 3000\n\n');
    expect((await reader.read()).value).toBe(': ping\n\n');
    const next = reader.read();
    await clock.pass(15_000);
    expect((await next).value).toBe(': ping\n\n');
    write('late');
    let seen = '';
    while (!seen.includes('late')) seen += (await reader.read()).value;
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
    await test.call(EVENTS + query, last === undefined ? {} : { headers: { 'last-event-id': last } });
    expect(test.cloud.requests[0]!.query.replace('?orgSlug=anon-0&projectSlug=web', '')).toBe(sent);
  });

  it.each([
    ['?after=x', undefined],
    ['?after=-1', undefined],
    ['', 'x'],
    ['?after=5', '1; 2'],
  ])('rejects an invalid cursor without calling the cloud: %s %s', async (query, last) => {
    await open(text(''));
    const init = last === undefined ? {} : { headers: { 'last-event-id': last } };
    expect(await refusalOf(await test.call(EVENTS + query, init))).toMatchObject({
      status: 400,
      code: 'invalid_value',
    });
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
    await open(() => {
      throw new ApiError(code, 'Refused.');
    });
    expect(await refusalOf(await test.call(EVENTS))).toEqual({ status, code, message: 'Refused.' });
  });

  it('answers 404 in a folder without a project, without calling the cloud', async () => {
    test = await openStudio();
    expect(await refusalOf(await test.call(EVENTS))).toMatchObject({ status: 404, code: 'job_not_found' });
    expect(test.cloud.calls).toEqual([]);
  });
});

describe('the stream in batches', () => {
  const block = (id: number) => `id: ${id}\nevent: training.log\ndata: {"step":${id}}\n\n`;
  const blocks = Array.from({ length: 40 }, (_, at) => block(at + 1)).join('');

  it('asks the cloud for them, and passes on what it sends, byte for byte', async () => {
    const told = `${blocks}id: 99\nevent: batch\ndata: whatever\n\n`;
    const headers = { 'content-type': 'text/event-stream', 'x-svc-event-batches': '1' };
    await open(() => new Response(told, { headers }));
    expect(await (await test.call(`${EVENTS}?batch=1`)).text()).toBe(`retry: 3000\n\n${told}`);
    expect(test.cloud.requests[0]!.headers.get('x-svc-event-batches')).toBe('1');
  });

  it('makes them of the single events of a cloud that has none', async () => {
    await open(text(`retry: 1\n\n: ping\n\n${blocks}`));
    const lines = await (await test.call(`${EVENTS}?batch=1`)).text();
    expect(lines).toContain('retry: 3000\n\n');
    const messages = Array.from(lines.matchAll(/^id: (\d+)\nevent: (.*)\ndata: (.*)$/gm));
    const ids = messages.flatMap(([, id, event, data]) =>
      event === 'batch' ? readBatch(data!).flatMap(idsOf) : [Number(id)],
    );
    expect(ids).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  it('does not ask the cloud for them otherwise', async () => {
    await open(text(blocks));
    expect(await (await test.call(EVENTS)).text()).toBe(`retry: 3000\n\n${blocks}`);
    expect(test.cloud.requests[0]!.headers.has('x-svc-event-batches')).toBe(false);
  });

  function idsOf(item: StreamedEvents): number[] {
    const length = item instanceof LoggedSteps ? item.length : 1;
    return Array.from({ length }, (_, at) => Number(item.id) - length + 1 + at);
  }
});

describe('the event stream while the cloud is unreachable', () => {
  async function expectComeBack(): Promise<void> {
    const response = await test.call(EVENTS);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe(AWAY);
  }

  it('sends a retry interval and closes, so that an EventSource keeps trying', async () => {
    await open(text(''));
    await test.cloud.close();
    await expectComeBack();
  });

  it.each(['engine_unavailable', 'internal_error', 'engine_busy'] as const)(
    'does the same for the error %s',
    async code => {
      const print = vi.spyOn(console, 'error').mockImplementation(() => {});
      await open(() => {
        throw new ApiError(code, 'Not now.');
      });
      await expectComeBack();
      print.mockRestore();
    },
  );

  it('does the same when the local cloud does not start', async () => {
    test = await openStudio();
    await test.beKnown();
    await test.writeState();
    const { folder, home, cloud } = test;
    const session = openSession({ folder, env: { SVC_HOME: home, SVC_CLOUD_URL: cloud.url } });
    const projectClient = async () => {
      throw new ApiError('cloud_unreachable', 'The local cloud did not start.');
    };
    const first = test;
    test = await openStudio({}, { session: { ...session, projectClient } });
    await expectComeBack();
    await first.close();
  });

  it('ends after the received events when the cloud disconnects', async () => {
    const frame = 'id: 1\nevent: training.log\ndata: {}\n\n';
    let cut = (_: Error) => {};
    await open(
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode(frame));
              cut = error => controller.error(error);
            },
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        ),
    );
    const reader = (await test.call(EVENTS)).body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes(frame)) seen += (await reader.read()).value;
    cut(new Error('gone'));
    expect((await reader.read()).done).toBe(true);
  });
});

describe('a client of the event stream', () => {
  it('that disconnects aborts the request to the cloud', async () => {
    let gone: Promise<void> | undefined;
    await open(
      stream(async ({ send, signal }) => {
        gone = new Promise(resolve => signal.addEventListener('abort', () => resolve()));
        await send({ id: 1, event: 'training.log', data: '{}' });
        await gone;
      }),
    );
    const reader = (await test.call(EVENTS)).body!.getReader();
    await reader.read();
    await reader.cancel();
    await gone;
    expect(gone).toBeDefined();
  });

  it('that does not read slows down the cloud', async () => {
    const frames = 1000;
    let sent = 0;
    await open(
      stream(async ({ send }) => {
        for (; sent < frames; sent++)
          await send({ id: sent, event: 'training.log', data: 'x'.repeat(64_000) });
      }),
    );
    const body = (await test.call(EVENTS)).body!;
    for (let before = -1; before < sent; await sleep(300)) before = sent;
    expect(sent).toBeLessThan(frames);
    await body.cancel();
  });
});
