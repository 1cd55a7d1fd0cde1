import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { type EventWriter, encodeEvents, eventStream, STREAM_TIMES } from '../../lib/http/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

type StreamWriter = Parameters<typeof eventStream>[0];

/** Until nothing more happens by itself. */
const settled = () => createVirtualClock().pass(0);

describe('an event stream', () => {
  it('writes standard frames and closes when the writer returns', async () => {
    const write: StreamWriter = async ({ send }) => {
      await send({ id: 1, event: 'training.log', data: '{"step":1}' });
      await send({ data: 'two\nlines\r\nthree' });
    };
    const response = eventStream(write, { retryMs: STREAM_TIMES.retryMs });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    const frames = ['retry: 3000', 'id: 1\nevent: training.log\ndata: {"step":1}'];
    expect(await response.text()).toBe(`${frames.join('\n\n')}\n\ndata: two\ndata: lines\ndata: three\n\n`);
  });

  it('sends pre-encoded events to several clients, with backpressure', async () => {
    const bytes = encodeEvents([1, 2].map(id => ({ id, event: 'a', data: `data ${id}` })));
    const both = 'id: 1\nevent: a\ndata: data 1\n\nid: 2\nevent: a\ndata: data 2\n\n';
    const streams = [1, 2].map(() => eventStream(({ sendBytes }) => sendBytes(bytes)));
    expect(await Promise.all(streams.map(stream => stream.text()))).toEqual([both, both]);

    let sent = 0;
    const patient = eventStream(async ({ sendBytes }) => {
      for (; sent < 1000; sent++) await sendBytes(new Uint8Array(5000));
    });
    await settled();
    expect(sent).toBeLessThan(10);
    expect((await patient.arrayBuffer()).byteLength).toBe(5_000_000);
  });

  it('applies backpressure when the client does not read', async () => {
    let sent = 0;
    const response = eventStream(async ({ send }) => {
      for (; sent < 10_000; sent++) await send({ id: sent, data: 'x'.repeat(1000) });
    });
    await settled();
    expect(sent).toBeLessThan(40);
    expect((await response.text()).match(/^id: /gm)).toHaveLength(10_000);
  });

  it('allows concurrent sends', async () => {
    const response = eventStream(async ({ send }) => {
      await Promise.all(Array.from({ length: 50 }, (_, id) => send({ id, data: 'x'.repeat(4000) })));
    });
    expect((await response.text()).match(/^id: /gm)).toHaveLength(50);
  });

  it('aborts the writer when the client disconnects, even during backpressure', async () => {
    let writer: EventWriter | undefined;
    const onError = vi.fn();
    let ended: unknown;
    const write: StreamWriter = async given => {
      writer = given;
      try {
        while (true) await given.send({ data: 'x'.repeat(5000) });
      } catch (error) {
        ended = error;
        throw error;
      }
    };
    const response = eventStream(write, { onError });
    const reader = response.body!.getReader();
    await reader.read();
    await settled();
    expect(writer!.signal.aborted).toBe(false);
    await reader.cancel();
    await settled();
    expect(writer!.signal.aborted).toBe(true);
    expect(ended).toBeDefined();
    expect(onError).not.toHaveBeenCalled();
  });

  it('breaks the connection when the writer fails, so that the client reconnects', async () => {
    const failure = new Error('disk');
    const onError = vi.fn();
    const response = eventStream(() => Promise.reject(failure), { onError });
    await expect(response.text()).rejects.toThrow();
    expect(onError).toHaveBeenCalledWith(failure);
  });

  it('sends pings while idle, and none once its reader has left', async () => {
    const clock = createVirtualClock();
    const untilLeft: StreamWriter = async ({ signal }) => void (await once(signal, 'abort'));
    const response = eventStream(untilLeft, { pingMs: STREAM_TIMES.pingMs, clock });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const read: unknown[] = [];
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) read.push(part.value);
    })();
    for (const pings of [1, 2, 3]) {
      await clock.pass(14_999);
      expect(read).toHaveLength(pings - 1);
      await clock.pass(1);
      expect(read).toEqual(Array(pings).fill(': ping\n\n'));
    }
    await reader.cancel();
    await reading;
    expect(clock.waiting).toBe(0);
  });
});
