import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createCloudClient, type EventFrame, type FollowOptions } from '../../lib/client/index.js';
import { type Connection, type EventServer, startEventServer } from '../support/event-server.js';
import { until } from '../support/until.js';

let server: EventServer | undefined;
afterEach(() => server?.close());

async function start(answer: (connection: Connection, index: number) => unknown) {
  server = await startEventServer(answer);
  return server;
}

/** Fast enough for a test; the waits themselves are looked at, not waited for. */
const quick = { firstRetryMs: 1, longestRetryMs: 4 };

async function collect(options: FollowOptions = {}): Promise<EventFrame[]> {
  const frames: EventFrame[] = [];
  const client = createCloudClient({ baseUrl: server!.baseUrl, scope: { orgSlug: 'o', projectSlug: 'p' } });
  for await (const frame of client.streamJobEvents('j', { ...quick, ...options })) frames.push(frame);
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
        setTimeout(() => connection.cut(), 20);
      } else if (index === 1) {
        connection.event(3, 'training.log', log(3));
        connection.end();
      } else connection.event(4, 'end', {});
    });
    expect((await collect()).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
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

  it('skips what a server sends again, whatever cursor it was given', async () => {
    await start((connection, index) => {
      for (let id = 1; id <= index + 1; id++) connection.event(id, 'training.log', log(id));
      if (index === 2) connection.event(9, 'end', {});
      else setTimeout(() => connection.end(), 10);
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
      expect(waits).toEqual([retry === '0' ? 1 : 4]);
    },
  );

  it('begins after the sequence number that it is given', async () => {
    await start(connection => connection.event(8, 'end', {}));
    await collect({ after: 7 });
    expect(server!.connections[0]!.url.searchParams.get('after')).toBe('7');
  });

  it('keeps a character whole that two packets share', async () => {
    await start(async connection => {
      const bytes = Buffer.from('id: 1\nevent: end\ndata: "é😀"\n\n');
      const cut = bytes.indexOf(0xf0) + 2;
      connection.write(bytes.subarray(0, cut));
      await new Promise(resolve => setTimeout(resolve, 20));
      connection.write(bytes.subarray(cut));
    });
    expect((await collect())[0]!.data).toBe('"é😀"');
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
      if (index < 4) connection.refuse(500, 'x');
      else if (index === 4) {
        connection.event(1, 'training.log', log(1));
        connection.end();
      } else connection.event(2, 'end', {});
    });
    const waits: number[] = [];
    const onInterrupted = (_: Error, ms: number) => waits.push(ms);
    await collect({ firstRetryMs: 4, longestRetryMs: 20, random: () => 1, onInterrupted });
    expect(waits).toEqual([4, 8, 16, 20, 4]);
    waits.length = 0;
    server!.connections.length = 0;
    await collect({ firstRetryMs: 4, longestRetryMs: 20, random: () => 0, onInterrupted });
    expect(waits).toEqual([2, 4, 8, 10, 2]);
  });

  it('does not take a connection that brings nothing for progress', async () => {
    await start((connection, index) => {
      if (index < 3) {
        connection.write('retry: 3\n\n');
        connection.end();
      } else connection.event(1, 'end', {});
    });
    const waits: number[] = [];
    await collect({ longestRetryMs: 100, random: () => 1, onInterrupted: (_, ms) => waits.push(ms) });
    expect(waits).toEqual([3, 6, 12]);
  });

  it('waits at least as long as Retry-After says', async () => {
    await start((connection, index) =>
      index === 0
        ? connection.refuse(429, 'engine_busy', { 'retry-after': '0.05' })
        : connection.event(1, 'end', {}),
    );
    const waits: number[] = [];
    await collect({ onInterrupted: (_, ms) => waits.push(ms) });
    expect(waits).toEqual([50]);
  });

  it('comes back from a server that is away for a while', async () => {
    const first = await start(connection => {
      connection.event(1, 'training.log', log(1));
      setTimeout(() => connection.cut(), 10);
    });
    const client = createCloudClient({ baseUrl: first.baseUrl, scope: { orgSlug: 'o', projectSlug: 'p' } });
    const errors: Error[] = [];
    const frames: string[] = [];
    const done = (async () => {
      for await (const { id } of client.streamJobEvents('j', {
        firstRetryMs: 5,
        longestRetryMs: 20,
        onInterrupted: error => {
          errors.push(error);
          if (errors.length === 1) void first.close();
        },
      }))
        frames.push(id);
    })();
    await until(() => errors.some(error => error.message.includes('connection refused'))).toBe(true);
    const back = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: 2\nevent: end\ndata: ${JSON.stringify(request.headers['last-event-id'])}\n\n`);
    }).listen(Number(new URL(first.baseUrl).port), '127.0.0.1');
    await done;
    back.close();
    back.closeAllConnections();
    expect(frames).toEqual(['1', '2']);
  });

  it('gives up a connection that fell silent', async () => {
    await start((connection, index) => {
      if (index === 0) connection.event(1, 'training.log', log(1));
      else connection.event(2, 'end', {});
    });
    const errors: string[] = [];
    const frames = await collect({ idleTimeoutMs: 30, onInterrupted: error => errors.push(error.message) });
    expect(frames).toHaveLength(2);
    expect(errors).toEqual(['No data for 0.03 s.']);
    await server!.connections[0]!.closed;
  });

  it('ends with the reason of its signal, while it reads and while it waits', async () => {
    await start(connection => connection.event(1, 'training.log', log(1)));
    const reading = new AbortController();
    const reason = new Error('enough');
    const read = collect({
      signal: reading.signal,
      onOpen: () => setTimeout(() => reading.abort(reason), 10),
    });
    await expect(read).rejects.toBe(reason);
    await server!.connections[0]!.closed;

    await server!.close();
    const waiting = new AbortController();
    const wait = collect({
      signal: waiting.signal,
      firstRetryMs: 60_000,
      longestRetryMs: 60_000,
      onInterrupted: () => waiting.abort(reason),
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
