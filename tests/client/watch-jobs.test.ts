// Streams of several jobs, through event sources that a test speaks for.
import { afterEach, describe, expect, it } from 'vitest';
import { type JobsWatch, watchJobs } from '../../lib/client/index.js';
import type { EventSourceLike } from '../../lib/client/watch-job.js';
import { ApiError } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';

interface Source extends EventSourceLike {
  readonly path: string;
  readyState: number;
  say(type: string, id: number, data?: object): void;
}

let watch: JobsWatch | undefined;
afterEach(() => watch?.close());

function start(ids: readonly string[], options: { most?: number; gone?: string; awaited?: string } = {}) {
  const clock = createVirtualClock();
  const sources: Source[] = [];
  const told: string[] = [];
  const asked: string[] = [];
  const openEventSource = (path: string): Source => {
    const listeners = new Map<string, (event: { data?: unknown; lastEventId?: string }) => void>();
    const source: Source = {
      path,
      readyState: 1,
      addEventListener: (type, listener) => void listeners.set(type, listener),
      close: () => {
        source.readyState = 2;
      },
      say: (type, id, data = {}) =>
        listeners.get(type)?.({ data: JSON.stringify(data), lastEventId: `${id}` }),
    };
    sources.push(source);
    return source;
  };
  const { gone, awaited, ...rest } = options;
  const faces: Parameters<typeof watchJobs>[1] = {
    onJob: id => asked.push(id),
    onEvents: (id, parts) => told.push(...parts.map(part => `${id} ${part.event} ${part.id}`)),
    onInterrupted: id => told.push(`${id} interrupted`),
    onRefused: (id, error) => told.push(`${id} refused ${error.code}`),
    awaitsMore: id => id === awaited,
  };
  const getJob = async (id: string) => {
    if (id === gone) throw new ApiError('job_not_found', 'Gone.');
    return { job: sampleJob({ id }) };
  };
  async function* readJobLog() {}
  watch = watchJobs(ids, faces, { openEventSource, getJob, readJobLog, clock, ...rest });
  watch.open();
  const open = () =>
    sources.filter(({ readyState }) => readyState === 1).map(({ path }) => path.split('/')[3]!);
  return { sources, told, asked, open, clock };
}

describe('watching several jobs', () => {
  it('opens a few streams at a time, and the next one when one has ended', async () => {
    const { sources, told, asked, open } = start(['a', 'b', 'c'], { most: 2 });
    await until(open).toEqual(['a', 'b']);
    sources[0]!.say('training.log', 1);
    sources[0]!.say('end', 2);
    await until(open).toEqual(['b', 'c']);
    expect(told).toEqual(['a training.log 1', 'a end 2']);
    // Once at first, and `a` again at its end.
    await until(() => [...asked].sort()).toEqual(['a', 'a', 'b', 'c']);
  });

  it('lets those that wait take turns with those that go on, and nothing is told twice', async () => {
    const { sources, asked, open, clock } = start(['a', 'b'], { most: 1 });
    await until(open).toEqual(['a']);
    sources[0]!.say('training.log', 7);
    await clock.pass(4999);
    expect([open(), asked]).toEqual([['a'], ['a', 'b']]);
    await clock.pass(1);
    await until(open).toEqual(['b']);
    expect(asked).toEqual(['a', 'b', 'b', 'a']);
    await clock.pass(5000);
    await until(open).toEqual(['a']);
    const again = sources.findLast(({ path }) => path.includes('/a/'))!;
    expect(again.path).toContain('after=7');
  });

  it('tells that a job is gone, and goes on with the others', async () => {
    const { sources, told, open } = start(['gone', 'b'], { most: 1, gone: 'gone' });
    await until(open).toEqual(['gone']);
    sources[0]!.readyState = 2;
    sources[0]!.say('error', 0);
    await until(() => told).toEqual(['gone refused job_not_found']);
    await until(open).toEqual(['b']);
  });

  it('keeps asking for one that has ended while more of it may come', async () => {
    const { sources, asked, open, clock } = start(['a', 'b'], { awaited: 'a' });
    await until(open).toEqual(['a', 'b']);
    for (const source of sources) source.say('end', 1);
    await until(() => asked).toHaveLength(4);
    asked.length = 0;
    await clock.pass(10_000);
    expect(asked).toEqual(['a', 'a']);
  });

  it('closes everything, and continues after what it has seen', async () => {
    const { sources, told, open, clock } = start(['a']);
    await until(open).toEqual(['a']);
    sources[0]!.say('training.log', 3);
    await until(() => told).toHaveLength(1);
    watch!.close();
    expect([open(), clock.waiting]).toEqual([[], 0]);
    watch!.open();
    await until(open).toEqual(['a']);
    expect(sources[1]!.path).toContain('after=3');
  });
});
