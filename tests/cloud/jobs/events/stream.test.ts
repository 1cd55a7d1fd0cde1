// How clients receive a job's events: replayed from the log, live, resumed, and many clients at once.
import { describe, expect, it, vi } from 'vitest';
import {
  type EventFrame,
  LoggedSteps,
  type LogPart,
  readLogLine,
  toFrames,
} from '../../../../lib/contract/index.js';
import { createRandom } from '../../../support/random.js';
import { jobsPerTest } from '../jobs-per-test.js';
import type { ScriptedRun } from '../scripted-runner.js';
import { scope } from '../test-jobs.js';

const cloud = jobsPerTest({ isStarted: false });

const stream = (id: string, headers: Record<string, string> = {}, after?: string) => {
  const cursor = after === undefined ? '' : `&after=${after}`;
  return cloud.call('GET', `/v1/jobs/${id}/events/stream${scope}${cursor}`, undefined, headers);
};

function read(response: Response) {
  expect(response.status).toBe(200);
  const source = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const reader = {
    /** Everything received so far. */
    text: '',
    ids: () => Array.from(reader.text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id)),
    /** Reads until the text matches. */
    async until(pattern: RegExp): Promise<void> {
      while (!pattern.test(reader.text)) {
        const { done, value } = await source.read();
        if (done) throw new Error(`It ended before ${pattern}: ${reader.text}`);
        reader.text += value;
      }
    },
    /** Reads until the stream ends. */
    async rest(): Promise<string> {
      for (let next = await source.read(); !next.done; next = await source.read()) reader.text += next.value;
      return reader.text;
    },
    leave: () => source.cancel(),
  };
  return reader;
}

const counting = (to: number, from = 1) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A running job. */
async function begin(): Promise<{ id: string; run: ScriptedRun }> {
  await cloud.jobs.start();
  return cloud.begin();
}

/** A completed job with this many steps; it has two more events than steps. */
async function finished(steps: number): Promise<string> {
  const { id, run } = await begin();
  run.log(...counting(steps));
  await cloud.finish(run);
  return id;
}

describe('the event stream of a finished job', () => {
  it('replays the log, then closes', async () => {
    const id = await finished(2);
    const response = await stream(id);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    const frames = (await cloud.events(id)).map(
      (event, i) => `id: ${i + 1}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    expect(await response.text()).toBe(`retry: 3000\n\n${frames.join('')}`);
  });

  it('resumes after `after` or Last-Event-ID, which wins, and answers 204 after the end', async () => {
    const id = await finished(5);
    const ids = async (last?: string, after?: string) => {
      const response = await stream(id, last ? { 'last-event-id': last } : {}, after);
      if (response.status === 204) return 'nothing';
      const reader = read(response);
      await reader.rest();
      return reader.ids().join();
    };
    expect([await ids(undefined, '3'), await ids('6')]).toEqual(['4,5,6,7', '7']);
    expect(await ids('2', '6')).toBe('3,4,5,6,7');
    for (const cursor of ['7', '99'])
      expect([await ids(undefined, cursor), await ids(cursor)]).toEqual(['nothing', 'nothing']);
    expect(await ids('6', '7')).toBe('7');
  });

  it.each(['x', '-1', '1.5', '1e3', ' ', '99999999999999999'])('rejects the cursor %j', async cursor => {
    const { id } = await cloud.create();
    const refused = { status: 400, code: 'invalid_value' };
    const path = `/v1/jobs/${id}/events/stream`;
    const last = { 'last-event-id': `${cursor}!` };
    expect(await cloud.refusal('GET', path, undefined, last)).toMatchObject(refused);
    expect(await cloud.refusal('GET', `${path}${scope}&after=${cursor}`)).toMatchObject(refused);
  });
});

describe('the log so far', () => {
  async function readLog(id: string, after = 0): Promise<LogPart[]> {
    const response = await cloud.call('GET', `/v1/jobs/${id}/log${scope}&after=${after}`);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text()).split('\n');
    expect(lines.pop()).toBe('');
    return lines.map(readLogLine);
  }

  /** As the stream sends them. */
  const toText = (parts: readonly LogPart[]) =>
    toFrames(parts)
      .map(({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
      .join('');

  it('has the same events as the stream, to the letter, with its steps in columns', async () => {
    const { id, run } = await begin();
    run.started();
    run.log(...counting(1500));
    await run.tell('checkpoint.saved', { step: 1500, artifacts: [] });
    run.log(...counting(2500, 1501));
    await cloud.finish(run);
    const parts = await readLog(id);
    expect(parts.map(part => (part instanceof LoggedSteps ? part.length : part.event))).toEqual([
      'training.started',
      999,
      501,
      'checkpoint.saved',
      498,
      502,
      'training.completed',
      'end',
    ]);
    expect(`retry: 3000\n\n${toText(parts)}`).toBe(await (await stream(id)).text());
    for (const cursor of [1, 137, 1502, 2504])
      expect(toText(await readLog(id, cursor))).toBe(toText(toFrames(parts).slice(cursor)));
    expect([await readLog(id, 2505), await readLog(id, 9999)]).toEqual([[], []]);
  });

  it.each([
    ['with another field', { step: 2, loss: 1, flavor: 'odd' }],
    ['with a null', { step: 2, loss: null, evalLoss: 4 }],
    ['with a field that is no number', { step: 2, loss: 1, epoch: '1' }],
    ['at a time in another form', { step: 2, loss: 1, timestamp: '2026-01-02T03:04:05+01:00' }],
  ])('has a step %s to the letter, between those in columns', async (_, odd) => {
    const { id, run } = await begin();
    run.log(1);
    await run.tell('training.log', odd);
    run.log(3);
    await cloud.untilStep(id, 3);
    const [first, second, third] = await readLog(id);
    expect([first, third]).toEqual([expect.any(LoggedSteps), expect.any(LoggedSteps)]);
    const sent = JSON.parse((second as EventFrame).data);
    expect(sent).toEqual({ type: 'training.log', jobId: id, timestamp: sent.timestamp, ...odd });
  });

  it('keeps every digit of a number', async () => {
    const { next } = createRandom(1);
    const numbers = Array.from({ length: 400 }, () => (next() - 0.5) * 10 ** Math.floor(next() * 600 - 300));
    const losses = [
      ...numbers,
      2.2250738585072014e-308,
      Number.MAX_VALUE,
      0.1 + 0.2,
      1 / 3,
      2 ** 53 - 1,
      1e21,
      0,
    ];
    const { id, run } = await begin();
    for (const [at, loss] of losses.entries()) void run.tell('training.log', { step: at + 1, loss });
    await cloud.untilStep(id, losses.length);
    const logged = (await readLog(id)).flatMap(part =>
      part instanceof LoggedSteps ? part.columns.loss : [],
    );
    expect(logged).toEqual(losses);
  });

  it('ends with what is logged when it is asked for, and the stream goes on there', async () => {
    const { id, run } = await begin();
    expect(await readLog(id)).toEqual([]);
    run.log(...counting(100));
    await cloud.untilStep(id, 100);
    expect((await readLog(id)).map(part => part.id)).toEqual(['100']);
    const reader = read(await stream(id, {}, '100'));
    run.log(101);
    await reader.until(/^id: 101$/m);
    await run.complete();
    await reader.rest();
    expect(reader.ids()).toEqual(counting(103, 101));
  });

  it('is not found for a job of another project', async () => {
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(await cloud.refusal('GET', `/v1/jobs/${missing}/log`)).toMatchObject({ code: 'job_not_found' });
  });
});

describe('the event stream of an unfinished job', () => {
  it('sends events as they happen, from the queue to the end', async () => {
    const { id } = await cloud.create();
    const response = await stream(id);
    const reader = read(response);
    await reader.until(/retry: 3000/);
    await cloud.jobs.start();
    const run = await cloud.runner.next();
    for (let step = 1; step <= 3; step++) {
      run.log(step);
      await reader.until(new RegExp(`"step":${step},`));
    }
    await run.complete();
    expect(await reader.rest()).toMatch(/event: end\ndata: .*"status":"completed"/);
    expect(reader.ids()).toEqual([1, 2, 3, 4, 5]);
  });

  it('waits when the cursor is ahead of the log', async () => {
    const { id, run } = await begin();
    const reader = read(await stream(id, {}, '2'));
    await reader.until(/retry/);
    run.log(1, 2, 3);
    await reader.until(/^id: 3$/m);
    expect(reader.ids()).toEqual([3]);
    await reader.leave();
  });

  it('sends every event to a slow client', async () => {
    const { id, run } = await begin();
    const slow = await stream(id);
    const quick = read(await stream(id));
    for (let step = 1; step <= 3000; step += 100) run.log(...counting(step + 99, step));
    await quick.until(/^id: 3000$/m);
    const reader = read(slow);
    await run.complete();
    await Promise.all([reader.rest(), quick.rest()]);
    expect(reader.ids()).toEqual(counting(3002));
    expect(quick.ids()).toEqual(counting(3002));
  });

  it('sends 200 clients each event once, without a log read per client and event', async () => {
    const { id, run } = await begin();
    const reads = vi.spyOn(cloud.db, 'getExecutor');
    const readers = await Promise.all(counting(200).map(async () => read(await stream(id))));
    const all = Promise.all(readers.map(reader => reader.rest()));
    for (let step = 1; step <= 50; step += 5) {
      run.log(...counting(step + 4, step));
      await cloud.untilStep(id, step + 4);
    }
    await run.complete();
    const texts = new Set(await all);
    expect(texts.size).toBe(1);
    expect(readers[0]!.ids()).toEqual(counting(52));
    // Each takes two queries.
    expect(reads.mock.calls.length).toBeGreaterThan(0);
    expect(reads.mock.calls.length).toBeLessThan(200);
  });

  it('keeps going for other clients when one disconnects', async () => {
    const { id, run } = await begin();
    const [leaving, staying] = [read(await stream(id)), read(await stream(id))];
    await leaving.until(/retry/);
    await leaving.leave();
    run.log(1);
    await run.complete();
    await staying.rest();
    expect(staying.ids()).toEqual([1, 2, 3]);
    expect(cloud.log.filter(line => 'error' in line)).toEqual([]);
  });

  it('closes without an end event when the cloud stops, and resumes after a restart', async () => {
    const { id, run } = await begin();
    const reader = read(await stream(id));
    run.log(1);
    await reader.until(/^id: 1$/m);
    run.onTold = () => run.end('paused');
    await cloud.restart();
    expect(await reader.rest()).not.toContain('event: end');
    const again = read(await stream(id, { 'last-event-id': String(reader.ids().at(-1)) }));
    await cloud.jobs.start();
    await (await cloud.runner.next()).complete();
    await again.rest();
    expect(again.ids()).toEqual([2, 3]);
  });

  it('closes when the job is deleted while a client reads', async () => {
    const id = await finished(1000);
    const response = await stream(id);
    await cloud.json('DELETE', `/v1/jobs/${id}`);
    const reader = read(response);
    await reader.rest();
    expect(reader.ids()).toEqual(counting(reader.ids().length));
    expect((await stream(id)).status).toBe(404);
  });
});
