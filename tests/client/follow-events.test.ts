import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createCloudClient,
  type EventFrame,
  type FollowOptions,
  readFrames,
} from '../../lib/client/index.js';
import { type Connection, type EventServer, startEventServer } from '../support/event-server.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';

let server: EventServer | undefined;
afterEach(() => server?.close());

async function start(answer: (connection: Connection, index: number) => unknown) {
  server = await startEventServer(answer);
  return server;
}

type OnFrame = (frame: EventFrame) => unknown;

async function collect(options: FollowOptions = {}, onFrame: OnFrame = () => {}): Promise<EventFrame[]> {
  const frames: EventFrame[] = [];
  const client = createCloudClient({ baseUrl: server!.baseUrl, scope: { orgSlug: 'o', projectSlug: 'p' } });
  for await (const frame of client.streamJobEvents('j', { clock: createHastyClock(), ...options })) {
    frames.push(frame);
    onFrame(frame);
  }
  return frames;
}

const log = (step: number) => ({ type: 'training.log', step });

describe('following events', () => {
  it('yields each frame with its id, its name and the text of its data, up to end', async () => {
    await start(connection => {
      connection.write(': ping\n\nretry: 1\n\nid: 1\nevent: training.started\ndata: {"b":1, "a":2}\n\n');
      connection.event(2, 'end', {});
      connection.event(3, 'training.log', log(9));
    });
    expect(await collect()).toEqual([
      { id: '1', event: 'training.started', data: '{"b":1, "a":2}' },
      { id: '2', event: 'end', data: '{}' },
    ]);
    expect(server!.connections).toHaveLength(1);
    await server!.connections[0]!.closed;
  });

  it('resumes after the last event it saw, so that each is seen once', async () => {
    await start((connection, index) => {
      if (index === 0) {
        connection.event(1, 'training.log', log(1));
        connection.event(2, 'training.log', log(2));
      } else if (index === 1) {
        connection.event(3, 'training.log', log(3));
        connection.end();
      } else connection.event(4, 'end', {});
    });
    const cut: OnFrame = ({ id }) => id === '2' && server!.connections[0]!.cut();
    expect((await collect({}, cut)).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    const cursors = server!.connections.map(({ request, url }) => [
      request.headers['last-event-id'],
      url.searchParams.get('after'),
    ]);
    expect(cursors).toEqual([
      [undefined, null],
      ['2', null],
      ['3', null],
    ]);
  });

  describe('so far', () => {
    const ids = async (options: FollowOptions = {}) =>
      (await collect({ isSoFar: true, ...options })).map(({ id }) => id);

    it('ends with the event that was the newest when the stream opened, through interruptions', async () => {
      await start((connection, index) => {
        connection.header('x-svc-newest-event', String(2 + index));
        connection.event(index + 1, 'training.log', log(index + 1));
        if (index === 0) connection.end();
        else connection.event(3, 'training.log', log(3));
      });
      expect(await ids()).toEqual(['1', '2']);
      await server!.connections[1]!.closed;
    });

    it.each([
      ['the log is empty', '0', undefined],
      ['the reader has all of it', '2', 2],
      ['the reader begins after it', '2', 9],
    ])('is nothing if %s', async (_, newest, after) => {
      await start(connection => {
        connection.header('x-svc-newest-event', newest);
        connection.write(': open\n\n');
      });
      expect(await ids({ after })).toEqual([]);
      await server!.connections[0]!.closed;
    });

    it('waits for no event of a cloud that does not say which is the newest', async () => {
      await start(connection => connection.event(1, 'training.log', log(1)));
      const stop = new AbortController();
      const read = ids({ signal: stop.signal, onInterrupted: error => stop.abort(error) });
      await expect(read).rejects.toThrow(/^The cloud has an older version/);
      await server!.connections[0]!.closed;
    });
  });

  it('skips what a server sends again, whatever cursor it was given', async () => {
    await start((connection, index) => {
      for (let id = 1; id <= index + 1; id++) connection.event(id, 'training.log', log(id));
      if (index === 2) connection.event(9, 'end', {});
      else connection.end();
    });
    expect((await collect()).map(({ id }) => id)).toEqual(['1', '2', '3', '9']);
  });

  it('closes a connection that brought something other than a stream', async () => {
    await start((connection, index) => {
      if (index > 0) return connection.event(1, 'end', {});
      connection.request.socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n',
      );
      return undefined;
    });
    await collect();
    await server!.connections[0]!.closed;
  });

  it.each(['0', '999999999999'])(
    'does not run wild when it is told to come back after %s ms',
    async retry => {
      await start((connection, index) => {
        connection.write(`retry: ${retry}\n\n`);
        if (index === 0) connection.end();
        else connection.event(1, 'end', {});
      });
      const waits: number[] = [];
      await collect({ random: () => 1, onInterrupted: (_, ms) => waits.push(ms) });
      expect(waits).toEqual([retry === '0' ? 1000 : 30_000]);
    },
  );

  it('begins after the sequence number that it is given', async () => {
    await start(connection => connection.event(8, 'end', {}));
    await collect({ after: 7 });
    expect(server!.connections[0]!.url.searchParams.get('after')).toBe('7');
  });

  it('keeps a character whole that two packets share', async () => {
    const bytes = Buffer.from('id: 1\nevent: end\ndata: "é😀"\n\n');
    const cut = bytes.indexOf(0xf0) + 2;
    const body = ReadableStream.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
    const frames: EventFrame[] = [];
    for await (const frame of readFrames(new Response(body))) frames.push(frame);
    expect(frames.map(({ data }) => data)).toEqual(['"é😀"']);
  });

  it.each([401, 403, 404, 410])('stops at status %i, with the error that was answered', async status => {
    await start(connection => connection.refuse(status, 'the_code'));
    await expect(collect()).rejects.toMatchObject({ status, code: 'the_code' });
    expect(server!.connections).toHaveLength(1);
  });

  it('ends quietly at 204: there is nothing after the cursor', async () => {
    await start(connection => connection.refuse(204));
    expect(await collect({ after: 9 })).toEqual([]);
  });

  it.each([500, 502, 503, 429])('tries again after status %i', async status => {
    await start((connection, index) =>
      index < 2 ? connection.refuse(status, 'x') : connection.event(1, 'end', {}),
    );
    expect(await collect()).toHaveLength(1);
    expect(server!.connections).toHaveLength(3);
  });

  it('tries again when something other than a stream is answered', async () => {
    await start((connection, index) => {
      if (index === 0) connection.refuse(200);
      else connection.event(1, 'end', {});
    });
    expect(await collect()).toHaveLength(1);
  });

  it('waits longer each time, with jitter, and short again once an event came', async () => {
    await start((connection, index) => {
      if (index < 6) connection.refuse(500, 'x');
      else if (index === 6) {
        connection.event(1, 'training.log', log(1));
        connection.end();
      } else connection.event(2, 'end', {});
    });
    const clock = createHastyClock();
    const told: number[] = [];
    await collect({ clock, random: () => 1, onInterrupted: (_, ms) => told.push(ms) });
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 1000]);
    expect(told).toEqual(clock.slept);
    server!.connections.length = 0;
    const own = createHastyClock();
    await collect({ clock: own, firstRetryMs: 4, longestRetryMs: 20, random: () => 0 });
    expect(own.slept).toEqual([2, 4, 8, 10, 10, 10, 2]);
  });

  it('does not take a connection that brings nothing for progress', async () => {
    await start((connection, index) => {
      if (index < 3) {
        connection.write('retry: 3000\n\n');
        connection.end();
      } else connection.event(1, 'end', {});
    });
    const clock = createHastyClock();
    await collect({ clock, random: () => 1 });
    expect(clock.slept).toEqual([3000, 6000, 12_000]);
  });

  it('waits at least as long as Retry-After says, but no longer than five minutes', async () => {
    const answers = ['120', '86400', '0'];
    await start(connection => {
      const after = answers.shift();
      if (after === undefined) connection.event(1, 'end', {});
      else connection.refuse(429, 'engine_busy', { 'retry-after': after });
    });
    const clock = createHastyClock();
    await collect({ clock, random: () => 1 });
    expect(clock.slept).toEqual([120_000, 300_000, 4000]);
  });

  it('comes back from a server that is away for a while', async () => {
    const first = await start(connection => connection.event(1, 'training.log', log(1)));
    const errors: Error[] = [];
    const onInterrupted = (error: Error) => {
      errors.push(error);
      if (errors.length === 1) void first.close();
    };
    const done = collect({ onInterrupted }, ({ id }) => id === '1' && first.connections[0]!.cut());
    await until(() => errors.some(error => error.message.includes('connection refused'))).toBe(true);
    const back = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: 2\nevent: end\ndata: ${JSON.stringify(request.headers['last-event-id'])}\n\n`);
    }).listen(Number(new URL(first.baseUrl).port), '127.0.0.1');
    expect((await done).map(({ id }) => id)).toEqual(['1', '2']);
    back.close();
    back.closeAllConnections();
  });

  it('gives up a connection that fell silent', async () => {
    await start((connection, index) => {
      if (index === 0) connection.event(1, 'training.log', log(1));
      else connection.event(2, 'end', {});
    });
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
    const frames = await collect({ clock, onInterrupted }, () => {
      hushed ??= hush();
    });
    await hushed;
    expect(frames).toHaveLength(2);
    expect(errors).toEqual(['No data for 45 s.']);
    await server!.connections[0]!.closed;
  });

  it('ends with the reason of its signal, while it reads and while it waits', async () => {
    await start(connection => connection.event(1, 'training.log', log(1)));
    const reading = new AbortController();
    const reason = new Error('enough');
    const read = collect({ signal: reading.signal }, () => void setImmediate(() => reading.abort(reason)));
    await expect(read).rejects.toBe(reason);
    await server!.connections[0]!.closed;

    await server!.close();
    const waiting = new AbortController();
    const wait = collect({
      signal: waiting.signal,
      clock: createVirtualClock(),
      onInterrupted: () => void setImmediate(() => waiting.abort(reason)),
    });
    await expect(wait).rejects.toBe(reason);
    await expect(collect({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('closes the connection when its reader leaves the loop', async () => {
    await start(connection => connection.event(1, 'training.log', log(1)));
    const client = createCloudClient({ baseUrl: server!.baseUrl });
    for await (const frame of client.streamJobEvents('j')) {
      expect(frame.id).toBe('1');
      break;
    }
    await server!.connections[0]!.closed;
  });
});
