// The live view's stream, through the real EventSource of Node, against a real server.
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  browserEventSource,
  createStudioClient,
  type OpenEventSource,
  watchJob,
} from '../../lib/client/index.js';
import { nodeEventSource } from '../../lib/client/node.js';
import { type EventFrame, LoggedSteps, toFrames, writeLogLines } from '../../lib/contract/index.js';
import { type Connection, type EventServer, startEventServer } from '../support/event-server.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { until } from '../support/until.js';

const TOKEN = 'T0ken';
let server: EventServer;
let stop = () => {};
afterEach(async () => {
  stop();
  await server.close();
});

interface Story {
  stream: (connection: Connection, index: number) => unknown;
  /** By default, a cloud that has none. */
  log?: (connection: Connection, index: number) => unknown;
  job?: (connection: Connection, index: number) => unknown;
  after?: string;
  /** The IDs of the events after which the connection is cut. */
  cutAfter?: readonly string[];
}

/** Watches a job of a server that tells the story, and notes what a face would be told. */
async function watch({ stream, log = noLog, job = answerJob('running'), after, cutAfter = [] }: Story) {
  const streams: Connection[] = [];
  const logs: Connection[] = [];
  const probes: Connection[] = [];
  server = await startEventServer(connection => {
    const [list, answer] = {
      events: [streams, stream] as const,
      log: [logs, log] as const,
      [JOB_ID]: [probes, job] as const,
    }[connection.url.pathname.split('/').at(-1)!]!;
    list.push(connection);
    void answer(connection, list.length - 1);
  });
  const access = { baseUrl: server.baseUrl, token: TOKEN };
  const opened = vi.fn(nodeEventSource(access)) as unknown as OpenEventSource & ReturnType<typeof vi.fn>;
  const told: string[] = [];
  const calls: number[] = [];
  const clock = createHastyClock();
  stop = watchJob(
    JOB_ID,
    {
      onEvents: parts => {
        told.push(...toFrames(parts).map(lineOf));
        calls.push(parts.length);
        if (cutAfter.includes(parts.at(-1)!.id)) streams.at(-1)!.cut();
      },
      onInterrupted: () => told.push('interrupted'),
      onEnd: () => told.push('ended'),
      onRefused: error => told.push(`refused ${error.status} ${error.code}`),
    },
    { ...createStudioClient(access), openEventSource: opened, after, clock },
  );
  return { told, calls, streams, logs, probes, opened, clock };
}

const lineOf = ({ id, event, data }: EventFrame) => `${id} ${event} ${data}`;

const noLog = (connection: Connection) => connection.refuse(404, 'unknown_url');

const answerJob = (status: 'running' | 'completed') => (connection: Connection) =>
  connection.json({ job: sampleJob({ status }) });

const withoutInterruptions = (told: string[]) => told.filter(line => line !== 'interrupted');

describe('watching a job', () => {
  it('tells frames as they come, in order, to the letter, and closes at end', async () => {
    const { told, streams, opened } = await watch({
      stream: connection => {
        connection.write('retry: 5\n\nid: 1\nevent: training.log\ndata: {"step":1, "loss":2.50}\n\n');
        connection.write('event: something.new\ndata: {}\n\ndata: unnamed\n\n');
        connection.event(2, 'end', { status: 'completed' });
      },
    });
    await until(() => told).toContain('ended');
    expect(told).toEqual(['1 training.log {"step":1, "loss":2.50}', '2 end {"status":"completed"}', 'ended']);
    await streams[0]!.closed;
    expect(opened).toHaveBeenCalledTimes(1);
    // It will not connect again by itself either.
    expect(opened.mock.results[0]!.value.readyState).toBe(2);
  });

  it('tells single events that arrive together in one call, as each call makes a snapshot', async () => {
    const ids = Array.from({ length: 2000 }, (_, index) => index + 1);
    const { told, calls } = await watch({
      stream: connection => {
        connection.write(ids.map(id => `id: ${id}\nevent: training.log\ndata: {}\n\n`).join(''));
        connection.event(2001, 'end', {});
      },
    });
    await until(() => told).toContain('ended');
    expect(told).toEqual([...ids.map(id => `${id} training.log {}`), '2001 end {}', 'ended']);
    // However the connection cuts it up.
    expect(calls.length).toBeLessThan(100);
  });

  it('waits for what arrives together as it is told to: a browser runs microtasks after each event', async () => {
    server = await startEventServer(() => {});
    const heard = new EventTarget();
    const opened = Object.assign(heard, { readyState: 1, close() {} });
    const tasks: (() => void)[] = [];
    const calls: number[] = [];
    stop = watchJob(
      JOB_ID,
      { onEvents: parts => calls.push(parts.length), onInterrupted() {}, onEnd() {}, onRefused() {} },
      {
        getJob: () => Promise.reject(new Error('Not asked.')),
        async *readJobLog() {},
        openEventSource: () => opened as never,
        soon: run => tasks.push(run),
      },
    );
    const listening = vi.spyOn(heard, 'addEventListener');
    await until(() => listening.mock.calls.length).toBeGreaterThan(1);
    for (const lastEventId of ['1', '2', '3']) {
      heard.dispatchEvent(Object.assign(new Event('training.log'), { data: '{}', lastEventId }));
      await Promise.resolve();
    }
    expect(calls).toEqual([]);
    for (const task of tasks) task();
    expect(calls).toEqual([3]);
  });

  it('sends the token in a header, and never in the address', async () => {
    const { told, streams } = await watch({ stream: connection => connection.event(1, 'end', {}) });
    await until(() => told).toContain('ended');
    expect(streams[0]!.request.headers['x-svc-studio-token']).toBe(TOKEN);
    expect(streams[0]!.request.url).not.toContain(TOKEN);
  });

  it('tells the log first, then what follows it, and leaves the end to the stream', async () => {
    const steps = new LoggedSteps({ jobId: JOB_ID, first: 2, times: [0, 1], columns: { step: [1, 2] } });
    const started = { id: '1', event: 'training.started', data: '{"model": "m"}' };
    const end = { id: '4', event: 'end', data: '{}' };
    const { told, streams, logs } = await watch({
      log: connection => {
        connection.write(writeLogLines([started, steps, end]));
        connection.end();
      },
      stream: connection => connection.event(4, 'end', {}),
    });
    await until(() => told).toContain('ended');
    expect(told).toEqual([...toFrames([started, steps, end]).map(lineOf), 'ended']);
    expect([logs.length, logs[0]!.url.search]).toEqual([1, '']);
    expect(streams.map(({ url }) => url.search)).toEqual(['?after=3']);
  });

  it('goes on with the stream where a log breaks off', async () => {
    const events = [1, 2, 3].map(id => ({ id: `${id}`, event: 'checkpoint.saved', data: `{"step":${id}}` }));
    const { told, streams } = await watch({
      log: connection => {
        connection.write(writeLogLines(events).slice(0, -20));
        setImmediate(connection.cut);
      },
      stream: connection => {
        connection.event(3, 'checkpoint.saved', { step: 3 });
        connection.event(4, 'end', {});
      },
      after: '0',
    });
    await until(() => told).toContain('ended');
    expect(told).toEqual([...events.map(lineOf), '4 end {}', 'ended']);
    expect(streams.map(({ url }) => url.search)).toEqual(['?after=2']);
  });

  it('leaves reconnecting to one EventSource over several cuts, and each event is told once', async () => {
    const { told, streams, opened } = await watch({
      cutAfter: ['1', '2', '3'],
      stream: (connection, index) => {
        connection.write('retry: 5\n\n');
        connection.event(index + 1, index === 3 ? 'end' : 'training.log', {});
      },
    });
    await until(() => told).toContain('ended');
    const lines = [1, 2, 3].map(id => `${id} training.log {}`);
    expect(withoutInterruptions(told)).toEqual([...lines, '4 end {}', 'ended']);
    expect(told.filter(line => line === 'interrupted')).toHaveLength(3);
    const cursors = streams.map(({ request }) => request.headers['last-event-id']);
    expect(cursors).toEqual([undefined, '1', '2', '3']);
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it.each([
    [403, 'studio_token_invalid'],
    [404, 'job_not_found'],
  ])('stops when the job itself is answered with %i: %s', async (status, code) => {
    const refuse = (connection: Connection) => connection.refuse(status, code);
    const { told, streams, probes, opened, clock } = await watch({ stream: refuse, job: refuse });
    await until(() => told).toEqual([`refused ${status} ${code}`]);
    expect([streams.length, probes.length, clock.slept]).toEqual([1, 1, []]);
    expect(opened.mock.results[0]!.value.readyState).toBe(2);
  });

  it('opens again after its last event when a stream was refused, though the job is finished', async () => {
    const { told, streams, opened } = await watch({
      cutAfter: ['1'],
      stream: (connection, index) => {
        if (index === 0) {
          connection.write('retry: 5\n\n');
          connection.event(1, 'training.started', {});
        } else if (index < 3) connection.refuse(503, 'x');
        else {
          connection.event(2, 'training.completed', {});
          connection.event(3, 'end', {});
        }
      },
      job: (connection, index) => answerJob(index === 0 ? 'running' : 'completed')(connection),
    });
    await until(() => told).toContain('ended');
    const lines = ['1 training.started {}', '2 training.completed {}', '3 end {}', 'ended'];
    expect(withoutInterruptions(told)).toEqual(lines);
    expect(opened).toHaveBeenCalledTimes(3);
    expect(streams[2]!.url.searchParams.get('after')).toBe('1');
  });

  it('does not follow a redirect with its token', async () => {
    const elsewhere = await startEventServer(connection => connection.event(1, 'end', {}));
    const headers = { location: `${elsewhere.baseUrl}/api/jobs/x/events` };
    const stream = (connection: Connection) => connection.refuse(307, 'x', headers);
    const { probes } = await watch({ stream, job: connection => connection.refuse(404) });
    await until(() => probes).toHaveLength(1);
    expect(elsewhere.connections).toHaveLength(0);
    await elsewhere.close();
  });

  it('keeps asking while the job cannot be asked for either', async () => {
    const refuseFirst =
      (count: number, answer: (connection: Connection) => void): Story['stream'] =>
      (connection, index) =>
        index < count ? connection.refuse(502, 'x') : answer(connection);
    const { told, probes, clock } = await watch({
      stream: refuseFirst(1, connection => connection.event(1, 'end', {})),
      job: refuseFirst(3, answerJob('running')),
    });
    await until(() => told).toContain('ended');
    expect([probes.length, clock.slept.length]).toEqual([4, 4]);
  });

  it('is at its end when a finished job has nothing after the cursor', async () => {
    const stream = (connection: Connection) => connection.refuse(204);
    const { told, streams } = await watch({ stream, job: answerJob('completed'), after: '9' });
    await until(() => told).toEqual(['ended']);
    expect(streams).toHaveLength(1);
  });

  it('tells nothing more once it was stopped', async () => {
    const { told, streams } = await watch({ stream: connection => connection.event(1, 'training.log', {}) });
    await until(() => told).toHaveLength(1);
    streams[0]!.event(2, 'training.log', {});
    stop();
    await streams[0]!.closed;
    expect(told).toEqual(['1 training.log {}']);
  });
});

it("the browser's EventSource carries the token in the query, as it cannot send headers", async () => {
  server = await startEventServer(() => {});
  const opened: string[] = [];
  const EventSource = class {
    constructor(url: string) {
      opened.push(url);
    }
  };
  vi.stubGlobal('EventSource', EventSource);
  browserEventSource({ baseUrl: 'http://localhost:4000', token: 'a+b' })('/api/jobs/7/events?after=3');
  vi.unstubAllGlobals();
  expect(opened).toEqual(['http://localhost:4000/api/jobs/7/events?after=3&studioToken=a%2Bb']);
});
