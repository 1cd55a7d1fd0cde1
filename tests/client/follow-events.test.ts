import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createCloudClient, type FollowOptions, readFrames } from '../../lib/client/index.js';
import type { EventFrame } from '../../lib/contract/index.js';
import { type Connection, type EventServer, startEventServer } from '../support/event-server.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { collect } from './support/collect.js';

let server: EventServer | undefined;
afterEach(() => server?.close());

async function start(answer: (connection: Connection, index: number) => unknown) {
  server = await startEventServer(answer);
  return server;
}

function follow(
  options: FollowOptions = {},
  onFrame?: (frame: EventFrame) => unknown,
): Promise<EventFrame[]> {
  const client = createCloudClient({ baseUrl: server!.baseUrl, scope: { orgSlug: 'o', projectSlug: 'p' } });
  return collect(client.streamJobEvents('j', { clock: createHastyClock(), ...options }), onFrame);
}

const idsOf = async (frames: Promise<EventFrame[]>) => (await frames).map(({ id }) => id);
const log = (connection: Connection, id: number) => connection.event(id, 'training.log', { step: id });
const end = (connection: Connection, id: number) => connection.event(id, 'end', {});
/** Lets the first `count` connections tell something else than the end, which is event 1 of the next. */
const endAfter = (count: number, answer: (connection: Connection) => unknown) =>
  start((connection, index) => (index < count ? answer(connection) : end(connection, 1)));

describe('following events', () => {
  it('yields each frame with its id, its name and the text of its data, up to end', async () => {
    await start(connection => {
      connection.write(': ping\n\nretry: 1\n\nid: 1\nevent: training.started\ndata: {"b":1, "a":2}\n\n');
      end(connection, 2);
      log(connection, 3);
    });
    expect(await follow()).toEqual([
      { id: '1', event: 'training.started', data: '{"b":1, "a":2}' },
      { id: '2', event: 'end', data: '{}' },
    ]);
    expect(server!.connections).toHaveLength(1);
    await server!.connections[0]!.closed;
  });

  it('resumes after the last event it saw, so that each is seen once', async () => {
    await start((connection, index) => {
      if (index === 0) for (const id of [1, 2]) log(connection, id);
      else if (index === 1) {
        log(connection, 3);
        connection.end();
      } else end(connection, 4);
    });
    const following = follow({}, ({ id }) => id === '2' && server!.connections[0]!.cut());
    expect(await idsOf(following)).toEqual(['1', '2', '3', '4']);
    const cursors = server!.connections.map(({ request }) => request.headers['last-event-id']);
    expect(cursors).toEqual([undefined, '2', '3']);
    expect(server!.connections.map(({ url }) => url.searchParams.get('after'))).toEqual([null, null, null]);
  });

  it('begins after the sequence number that it is given', async () => {
    await start(connection => end(connection, 8));
    await follow({ after: 7 });
    expect(server!.connections[0]!.url.searchParams.get('after')).toBe('7');
  });

  it('skips what a server sends again, whatever cursor it was given', async () => {
    await start((connection, index) => {
      for (let id = 1; id <= index + 1; id++) log(connection, id);
      if (index === 2) end(connection, 9);
      else connection.end();
    });
    expect(await idsOf(follow())).toEqual(['1', '2', '3', '9']);
  });

  it('closes a connection that brought something other than a stream', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n';
    await endAfter(1, connection => connection.request.socket.write(head));
    await follow();
    await server!.connections[0]!.closed;
  });

  it.each([
    ['0', 1000],
    ['999999999999', 30_000],
  ])('does not run wild when it is told to come back after %s ms', async (retry, waited) => {
    await endAfter(1, connection => {
      connection.write(`retry: ${retry}\n\n`);
      connection.end();
    });
    const waits: number[] = [];
    await follow({ random: () => 1, onInterrupted: (_, ms) => waits.push(ms) });
    expect(waits).toEqual([waited]);
  });

  it('keeps a character whole that two packets share', async () => {
    const bytes = Buffer.from('id: 1\nevent: end\ndata: "é😀"\n\n');
    const cut = bytes.indexOf(0xf0) + 2;
    const body = ReadableStream.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
    const frames = await collect(readFrames(new Response(body)));
    expect(frames.map(({ data }) => data)).toEqual(['"é😀"']);
  });

  it.each([401, 403, 404, 410])('stops at status %i, with the error that was answered', async status => {
    await start(connection => connection.refuse(status, 'the_code'));
    await expect(follow()).rejects.toMatchObject({ status, code: 'the_code' });
    expect(server!.connections).toHaveLength(1);
  });

  it('ends quietly at 204: there is nothing after the cursor', async () => {
    await start(connection => connection.refuse(204));
    expect(await follow({ after: 9 })).toEqual([]);
  });

  it.each([500, 502, 503, 429, 200])('tries again after status %i without a stream', async status => {
    await endAfter(2, connection => connection.refuse(status, 'x'));
    expect(await follow()).toHaveLength(1);
    expect(server!.connections).toHaveLength(3);
  });

  it('waits longer each time, with jitter, and short again once an event came', async () => {
    await start((connection, index) => {
      if (index < 6) connection.refuse(500, 'x');
      else if (index === 6) {
        log(connection, 1);
        connection.end();
      } else end(connection, 2);
    });
    const clock = createHastyClock();
    const told: number[] = [];
    await follow({ clock, random: () => 1, onInterrupted: (_, ms) => told.push(ms) });
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 1000]);
    expect(told).toEqual(clock.slept);
    server!.connections.length = 0;
    const own = createHastyClock();
    await follow({ clock: own, firstRetryMs: 4, longestRetryMs: 20, random: () => 0 });
    expect(own.slept).toEqual([2, 4, 8, 10, 10, 10, 2]);
  });

  it('does not take a connection that brings nothing for progress', async () => {
    await endAfter(3, connection => {
      connection.write('retry: 3000\n\n');
      connection.end();
    });
    const clock = createHastyClock();
    await follow({ clock, random: () => 1 });
    expect(clock.slept).toEqual([3000, 6000, 12_000]);
  });

  it('waits at least as long as Retry-After says, but no longer than five minutes', async () => {
    const waits = ['120', '86400', '0'];
    await endAfter(3, connection => connection.refuse(429, 'engine_busy', { 'retry-after': waits.shift()! }));
    const clock = createHastyClock();
    await follow({ clock, random: () => 1 });
    expect(clock.slept).toEqual([120_000, 300_000, 4000]);
  });

  it('comes back from a server that is away for a while', async () => {
    const first = await start(connection => log(connection, 1));
    const errors: Error[] = [];
    const onInterrupted = (error: Error) => {
      errors.push(error);
      if (errors.length === 1) void first.close();
    };
    const done = follow({ onInterrupted }, ({ id }) => id === '1' && first.connections[0]!.cut());
    await until(() => errors.some(error => error.message.includes('connection refused'))).toBe(true);
    const back = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: 2\nevent: end\ndata: ${JSON.stringify(request.headers['last-event-id'])}\n\n`);
    }).listen(Number(new URL(first.baseUrl).port), '127.0.0.1');
    expect(await idsOf(done)).toEqual(['1', '2']);
    back.close();
    back.closeAllConnections();
  });

  it('gives up a connection that fell silent', async () => {
    await start((connection, index) => (index === 0 ? log(connection, 1) : end(connection, 2)));
    const clock = createVirtualClock();
    const errors: string[] = [];
    const onInterrupted = (error: Error, ms: number) => {
      errors.push(error.message);
      void clock.pass(ms);
    };
    const hush = async () => {
      await clock.pass(44_999);
      expect(errors).toEqual([]);
      await clock.pass(1);
    };
    let hushed: Promise<void> | undefined;
    const following = follow({ clock, onInterrupted }, () => {
      hushed ??= hush();
    });
    expect(await idsOf(following)).toEqual(['1', '2']);
    await hushed;
    expect(errors).toEqual(['No data for 45 s.']);
    await server!.connections[0]!.closed;
  });

  it('ends with the reason of its signal, while it reads and while it waits', async () => {
    await start(connection => log(connection, 1));
    const reading = new AbortController();
    const reason = new Error('enough');
    const read = follow({ signal: reading.signal }, () => void setImmediate(() => reading.abort(reason)));
    await expect(read).rejects.toBe(reason);
    await server!.connections[0]!.closed;

    await server!.close();
    const waiting = new AbortController();
    const onInterrupted = () => void setImmediate(() => waiting.abort(reason));
    const wait = follow({ signal: waiting.signal, clock: createVirtualClock(), onInterrupted });
    await expect(wait).rejects.toBe(reason);
    await expect(follow({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('closes the connection when its reader leaves the loop', async () => {
    await start(connection => log(connection, 1));
    const client = createCloudClient({ baseUrl: server!.baseUrl });
    for await (const frame of client.streamJobEvents('j')) {
      expect(frame.id).toBe('1');
      break;
    }
    await server!.connections[0]!.closed;
  });
});
