// Undelivered responses, over real sockets that close at different moments.
import { once } from 'node:events';
import { get as ask, type ClientRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineRoutes } from '../../lib/contract/index.js';
import { createApp, listen, onUndelivered } from '../../lib/http/index.js';
import type { Listening } from '../../lib/http/listen.js';
import { until } from '../support/until.js';
import { createGate, EMPTY, get } from './support/routes.js';

const routes = defineRoutes({ make: get('/make', EMPTY) });

let server: Listening;
let undone: number;
let received: Request[];
/** What the handler waits for; below, what it answers. */
let made: Promise<void>;
let answer: () => Response;
beforeEach(async () => {
  undone = 0;
  received = [];
  made = Promise.resolve();
  answer = () => Response.json({});
  const app = createApp({ log: () => {} }).mount(routes, {
    make: async ({ request }) => {
      received.push(request);
      // Creates the signal, as the server does for each request.
      void request.signal;
      await made;
      onUndelivered(request, () => undone++);
      return answer();
    },
  });
  server = await listen(app, { ports: [0] });
});
afterEach(() => server.close());

const make = (): ClientRequest =>
  ask({ host: '127.0.0.1', port: server.port, path: '/make' }).on('error', () => {});

describe('a response', () => {
  it('is not undone after it was delivered', async () => {
    const [response] = await once(make(), 'response');
    await response.toArray();
    await server.close();
    expect(undone).toBe(0);
  });

  it('is undone when the client disconnects while the handler runs', async () => {
    const { opened, open } = createGate();
    made = opened;
    const asking = make();
    await until(() => received.length).toBe(1);
    asking.destroy();
    await until(() => received[0]!.signal.aborted).toBe(true);
    open();
    await until(() => undone).toBe(1);
  });

  it('is undone when the client disconnects before it is complete', async () => {
    answer = () => new Response(new ReadableStream({ start: body => body.enqueue(new Uint8Array(10)) }));
    const asking = make();
    await once(asking, 'response');
    expect(undone).toBe(0);
    asking.destroy();
    await until(() => undone).toBe(1);
  });

  it('is undone immediately when the request is already aborted', () => {
    const given = new Request('http://localhost/', { signal: AbortSignal.abort() });
    onUndelivered(given, () => undone++);
    onUndelivered(new Request('http://localhost/'), () => undone++);
    expect(undone).toBe(1);
  });
});
