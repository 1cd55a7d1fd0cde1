// Requests to a server elsewhere: who leaves hears its own reason, even if the whole answer has arrived by then, and who reads
// an answer to its end leaves the connection to the next one.
import { createServer, globalAgent } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { realClock } from '../../../lib/clock/index.js';
import { askForLines, createElsewhere } from '../../../lib/cloud/backends/elsewhere.js';
import { listening, openServer } from '../../support/listening.js';
import { until } from '../../support/until.js';

const elsewhere = createElsewhere({
  look: async () => 'ready',
  waitMs: () => 1000,
  onProblem: () => {},
  clock: realClock,
});

it('a caller who leaves after the whole answer has arrived gets its own reason', async () => {
  const server = await openServer(createServer((_, response) => response.end('one\ntwo\nthree\n')));
  async function* read(signal: AbortSignal) {
    const answer = await askForLines(server.url, { headers: {}, body: '{}', signal });
    let count = 0;
    try {
      for await (const line of answer.lines) {
        count++;
        yield line;
      }
    } finally {
      answer.close(count === 3);
    }
  }
  try {
    const caller = new AbortController();
    const lines = elsewhere.ask(caller.signal, read);
    expect((await lines.next()).value).toBe('one');
    const reason = new Error('gone');
    caller.abort(reason);
    await expect(lines.next()).rejects.toBe(reason);
    expect(await lines.next()).toEqual({ done: true, value: undefined });
  } finally {
    await elsewhere.close();
    await server.close();
  }
});

describe('the connection of an answer', () => {
  /** Each response ends a moment after its answer, or never. `most`: how many requests a connection gets through. */
  async function open({ most = Number.POSITIVE_INFINITY, ends = true } = {}) {
    const requests = new Map<Socket, number>();
    let cut = 0;
    const server = createServer(({ socket }, response) => {
      const count = (requests.get(socket) ?? 0) + 1;
      requests.set(socket, count);
      if (count > most) return void socket.destroy();
      response.on('close', () => {
        if (!response.writableFinished) cut++;
      });
      response.write('answer\n');
      if (ends) setImmediate(() => response.end('rest\n'));
    });
    const url = await listening(server);
    return {
      requests: () => [...requests.values()],
      cut: () => cut,
      async ask(isOver: boolean, body = '{}') {
        const signal = new AbortController().signal;
        const { lines, close } = await askForLines(url, { headers: {}, body, signal });
        for await (const line of lines) {
          expect(line).toBe('answer');
          break;
        }
        close(isOver);
      },
      /** Kept open for the next request. */
      free: () => globalAgent.freeSockets[`${new URL(url).host}:`]?.length ?? 0,
    };
  }

  it('is reused once its response has ended, which is not cut off', async () => {
    const { ask, requests, cut, free } = await open();
    for (let i = 0; i < 3; i++) {
      await ask(true);
      await until(free).toBe(1);
    }
    expect(requests()).toEqual([3]);
    expect(cut()).toBe(0);
  });

  it('is cut if the answer is left before its end', async () => {
    const { ask, cut, free } = await open({ ends: false });
    await ask(false);
    await until(cut).toBe(1);
    expect(free()).toBe(0);
  });

  it.each([
    ['short', 10],
    ['long', 4_000_000],
  ])('that the server has closed meanwhile is replaced, for a %s request', async (_, length) => {
    const { ask, requests, free } = await open({ most: 1 });
    await ask(true);
    await until(free).toBe(1);
    await ask(true, JSON.stringify('a'.repeat(length)));
    expect(requests()).toEqual([2, 1]);
  });
});
