// The process that reads files: its results, and what happens when it dies.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../../lib/clock/index.js';
import { DatasetError, EngineError, startFileReader, TextError } from '../../../lib/engine/index.js';
import { GRACE_MS, startWorker } from '../../../lib/engine/process/worker-process.js';
import type { TrainOptions } from '../../../lib/engine/train/options.js';
import { isAlive } from '../../../lib/sdk/processes.js';
import { findChildren, tellsChildren } from '../../support/child-processes.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { prepareSpinning, SPINS } from '../../support/spinning.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { trainOptions } from '../../support/train-options.js';
import { until } from '../../support/until.js';
import { untilGone } from '../../support/until-gone.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { tinyModel } from '../tiny-model.js';

const folder = temporaryFolder('svc-files');
const reader = startFileReader();
afterAll(() => reader.close());

function write(name: string, content: string) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, name };
}

const rows = '{"text":"a"}\n{"text":"b"}\n';
const digest = createHash('sha256').update(rows).digest('hex');
const reason = new Error('enough');

/** Rows of a few bytes unless others are given. */
const inspect = (by: typeof reader, caller = 'us', content = rows, options: object = {}) =>
  by.run('inspect', write(`${content.length}.jsonl`, content), { caller, ...options });
const inspectLong = (by: typeof reader, options?: object) => inspect(by, 'us', rows.repeat(500_000), options);

describe('an inspected file', () => {
  it('has a digest, a row count and a format', async () => {
    expect(await inspect(reader)).toEqual({ sha256: digest, rows: 2, format: 'json-lines' });
  });

  it('is rejected with its name, row and reason if it cannot be trained on', async () => {
    const refused = reader.run('inspect', write('bad.jsonl', '{"text":"a"}\n{"text"'), { caller: 'us' });
    await expect(refused).rejects.toBeInstanceOf(DatasetError);
    await expect(refused).rejects.toMatchObject({ file: 'bad.jsonl', row: 2 });
  });

  it('is abandoned with the signal’s reason', async () => {
    const aborted = inspect(reader, 'us', rows, { signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
    const stop = new AbortController();
    const given = inspectLong(reader, { signal: stop.signal });
    stop.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect(await inspect(reader)).toMatchObject({ rows: 2 });
  });
});

it.each<[string, Partial<TrainOptions>, string]>([
  ['rows that are all too long', { maxLength: 2 }, 'All rows are too long to train on. Raise maxLength'],
  ['rows without what a teacher expected', { softWeight: 0.5 }, 'No row has `logprobs`'],
  ['modules that the model lacks', { targetModules: ['w1'] }, 'The base model has no w1 to adapt.'],
])('a mistake in the settings of a run is told to its owner: %s', async (_, options, told) => {
  const { path } = write('settings.jsonl', '{"text":"longer than two tokens"}');
  const request = {
    ...({
      modelFolder: await tinyModel(),
      source: { type: 'file', path },
      folder,
      cacheFolder: folder,
    } as const),
    ...({ trainOn: 'all', tooLong: 'skip', options: trainOptions(options), target: folder } as const),
  };
  const refused = reader.run('writeTokens', request, { caller: 'us' });
  await expect(refused).rejects.toBeInstanceOf(TextError);
  await expect(refused).rejects.toThrow(told);
});

describe.runIf(tellsChildren)('its process', () => {
  const processes = () => findChildren('file-worker');

  /** Another reader, and how to find its process. */
  async function openAnother(clock?: ReturnType<typeof createVirtualClock>) {
    const before = await processes();
    const own = startFileReader(clock);
    onTestFinished(() => own.close());
    return { own, started: async () => (await processes()).filter(pid => !before.includes(pid)) };
  }

  it('may be killed: another one redoes its work', async () => {
    const { own, started } = await openAnother();
    await inspect(own);
    const [first] = (await started()) as [number];
    process.kill(first, 'SIGSTOP');
    const work = inspect(own);
    await until(() => own.load.running).toBe(1);
    process.kill(first, 'SIGKILL');
    expect(await work).toMatchObject({ sha256: digest });
    const now = await started();
    expect(now).toHaveLength(1);
    expect(now).not.toContain(first);
  });

  it('exits after ten seconds without work', async () => {
    const clock = createVirtualClock();
    const { own, started } = await openAnother(clock);
    await inspect(own);
    const [pid] = (await started()) as [number];
    await clock.pass(9999);
    await inspect(own);
    await clock.pass(9999);
    expect(await started()).toEqual([pid]);
    await clock.pass(1);
    await untilGone(pid);
  });

  it('exits at once when closed, abandoning its work', async () => {
    const { own, started } = await openAnother();
    const work = inspectLong(own);
    await until(started).toHaveLength(1);
    const [pid] = (await started()) as [number];
    own.close();
    await expect(work).rejects.toThrow();
    await untilGone(pid);
  });
});

describe.runIf(tellsChildren)('work that spins', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  let clock: ReturnType<typeof createVirtualClock>;
  let spinning: ReturnType<typeof prepareSpinning>;
  let own: ReturnType<typeof startFileReader>;
  const { NODE_OPTIONS } = process.env;
  beforeEach(() => {
    spinning = prepareSpinning();
    Object.assign(process.env, spinning.env);
    clock = createVirtualClock();
    own = startFileReader(clock);
  });
  afterEach(async () => {
    own.close();
    await clock.pass(GRACE_MS);
    await Promise.all((await spinning.pids()).map(untilGone));
    spinning.remove();
    delete process.env.SVC_TEST_SPINS;
    if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
    else Object.assign(process.env, { NODE_OPTIONS });
  });

  const spin = (caller: string, signal?: AbortSignal) => {
    const work = own.run('inspect', write('spins.jsonl', SPINS), { caller, signal });
    work.catch(() => {});
    return work;
  };

  it('keeps no other caller waiting, however much of it there is', async () => {
    for (let i = 0; i < 10; i++) spin('greedy');
    await spinning.until(2);
    expect(own.load).toMatchObject({ running: 2, waiting: 8, heldUpMs: 0 });
    for (const caller of ['first', 'second']) expect(await inspect(own, caller)).toMatchObject({ rows: 2 });
    expect(await spinning.pids()).toHaveLength(2);
  });

  it('keeps its own caller’s pages and digests waiting no more than another’s if it takes long', async () => {
    const long = write('long.jsonl', SPINS + '\n'.repeat(17 * 1024 ** 2));
    for (let i = 0; i < 3; i++) own.run('inspect', long, { caller: 'us' }).catch(() => {});
    await spinning.until(2);
    expect(await inspect(own)).toMatchObject({ rows: 2 });
  });

  it('is ended and refused, with what to do, and is not tried again', async () => {
    const refused = expect(spin('greedy')).rejects;
    await spinning.until(1);
    // It does not even say anymore how long it has been busy.
    for (const pid of await spinning.pids()) process.kill(pid, 'SIGSTOP');
    await clock.pass(61_000);
    await refused.toBeInstanceOf(DatasetError);
    await refused.toThrow('spins.jsonl: made no progress for 60 s; split long rows, or use a smaller file');
    expect(await spinning.pids()).toHaveLength(1);
    expect(await inspect(own, 'greedy')).toMatchObject({ rows: 2 });
  });

  it('is ended while its process says how long it has been busy', async () => {
    const limits = { silentMs: 60_000, busyMs: 750 };
    const worker = startWorker(() => {}, { program: 'file-worker', limits });
    worker.send({ type: 'work', kind: 'inspect', input: write('spins.jsonl', SPINS) } as never);
    expect(await worker.ended).toEqual({ exitCode: null, signal: 'SIGKILL', hung: true });
  });

  it('is ended after an hour, even if it makes progress', async () => {
    own.close();
    // Its process tells in real time that it lives.
    own = startFileReader({ ...clock, every: realClock.every, elapsed: realClock.elapsed });
    const refused = expect(spin('greedy')).rejects;
    await spinning.until(1);
    await clock.pass(3_599_999);
    expect((await spinning.pids()).every(isAlive)).toBe(true);
    await clock.pass(1);
    await refused.toThrow('spins.jsonl: took longer than 60 minutes; split long rows, or use a smaller file');
  });

  it('is ended if it does not stop within half a second after its caller left', async () => {
    const stop = new AbortController();
    const work = spin('greedy', stop.signal);
    await spinning.until(1);
    const pids = await spinning.pids();
    stop.abort(reason);
    await expect(work).rejects.toBe(reason);
    await clock.pass(499);
    expect(pids.every(isAlive)).toBe(true);
    await clock.pass(1);
    await Promise.all(pids.map(untilGone));
  });

  it('ends with its caller, who leaves its place to the next', async () => {
    const stop = new AbortController();
    const works = [spin('greedy', stop.signal), spin('greedy', stop.signal)];
    const next = inspect(own, 'greedy');
    await spinning.until(2);
    stop.abort(reason);
    for (const work of works) await expect(work).rejects.toBe(reason);
    await clock.pass(500);
    await Promise.all((await spinning.pids()).map(untilGone));
    expect(await next).toMatchObject({ rows: 2 });
  });

  it('says for how long it holds others up, when many callers do it', async () => {
    for (const caller of ['a', 'b', 'c']) spin(caller);
    await spinning.until(3);
    const stop = new AbortController();
    const waits = inspect(own, 'd', rows, { signal: stop.signal });
    await until(() => own.load.waiting).toBe(1);
    await clock.pass(3000);
    expect(own.load).toEqual({ running: 3, waiting: 1, heldUpMs: 3000 });
    stop.abort(reason);
    await expect(waits).rejects.toBe(reason);
    expect(own.load).toMatchObject({ waiting: 0, heldUpMs: 0 });
  });

  it('is bounded: the last of the caller with the most is refused, but no part of a job', async () => {
    for (const caller of ['a', 'b', 'c']) spin(caller);
    await spinning.until(3);
    const refused: { caller: string; error: unknown }[] = [];
    const ask = (caller: string, isAccepted = false) =>
      inspect(own, caller, rows, { isAccepted }).catch(error => void refused.push({ caller, error }));
    for (let i = 0; i < 62; i++) void ask('greedy');
    await until(() => refused.length).toBe(1);
    expect(refused[0]!.error).toBeInstanceOf(EngineError);
    const message = expect.stringContaining('The file reader is busy: 3 requests running');
    expect(refused[0]!.error).toMatchObject({ code: 'engine_busy', message });
    void ask('modest');
    await until(() => refused.map(({ caller }) => caller)).toEqual(['greedy', 'greedy']);
    void ask('greedy', true);
    await until(() => own.load.waiting).toBe(62);
    expect(refused).toHaveLength(2);
  });
});
