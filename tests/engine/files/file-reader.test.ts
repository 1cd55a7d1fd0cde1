// The process that reads files: its results, and what happens when it dies.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../../lib/clock/index.js';
import { DatasetError, EngineError, startFileReader } from '../../../lib/engine/index.js';
import { GRACE_MS, startWorker } from '../../../lib/engine/process/index.js';
import { isAlive } from '../../../lib/sdk/index.js';
import { findChildren, tellsChildren } from '../../support/child-processes.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { prepareSpinning, SPINS } from '../../support/spinning.js';
import { until } from '../../support/until.js';
import { untilGone } from '../../support/until-gone.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-files-'));
const reader = startFileReader();
afterAll(() => {
  reader.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, name };
}

const rows = '{"text":"a"}\n{"text":"b"}\n';
const us = { caller: 'us' };
const digest = createHash('sha256').update(rows).digest('hex');

describe('an inspected file', () => {
  it('has a digest, a row count and a format', async () => {
    const inspected = await reader.run('inspect', write('rows.jsonl', rows), us);
    expect(inspected).toEqual({ sha256: digest, rows: 2, format: 'json-lines' });
  });

  it('is rejected with its name, row and reason if it cannot be trained on', async () => {
    const refused = reader.run('inspect', write('bad.jsonl', '{"text":"a"}\n{"text"'), us);
    await expect(refused).rejects.toBeInstanceOf(DatasetError);
    await expect(refused).rejects.toMatchObject({ file: 'bad.jsonl', row: 2 });
  });

  it('is abandoned with the signal’s reason', async () => {
    const reason = new Error('enough');
    const aborted = { ...us, signal: AbortSignal.abort(reason) };
    await expect(reader.run('inspect', write('a.jsonl', rows), aborted)).rejects.toBe(reason);
    const stop = new AbortController();
    const long = write('long.jsonl', rows.repeat(500_000));
    const given = reader.run('inspect', long, { ...us, signal: stop.signal });
    stop.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect(await reader.run('inspect', write('a.jsonl', rows), us)).toMatchObject({ rows: 2 });
  });
});

describe.runIf(tellsChildren)('its process', () => {
  const processes = () => findChildren('file-worker');

  it('may be killed: another one redoes its work', async () => {
    await reader.run('inspect', write('a.jsonl', rows), us);
    const [first] = (await processes()) as [number];
    process.kill(first, 'SIGSTOP');
    const work = reader.run('inspect', write('rows.jsonl', rows), us);
    process.kill(first, 'SIGKILL');
    expect(await work).toMatchObject({ sha256: digest });
    expect((await processes()).filter(isAlive)).not.toContain(first);
  });

  it('exits after ten seconds without work', async () => {
    const clock = createVirtualClock();
    const own = startFileReader(clock);
    onTestFinished(() => own.close());
    const before = await processes();
    const started = async () => (await processes()).filter(pid => !before.includes(pid));
    await own.run('inspect', write('a.jsonl', rows), us);
    const [pid] = (await started()) as [number];
    await clock.pass(9999);
    await own.run('inspect', write('a.jsonl', rows), us);
    await clock.pass(9999);
    expect(await started()).toEqual([pid]);
    await clock.pass(1);
    await untilGone(pid);
  });

  it('exits at once when closed, abandoning its work', async () => {
    const own = startFileReader();
    const before = await processes();
    const work = own.run('inspect', write('long.jsonl', rows.repeat(500_000)), us);
    const started = async () => (await processes()).filter(found => !before.includes(found));
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
  beforeAll(() => {
    spinning = prepareSpinning();
  });
  beforeEach(() => {
    spinning.remove();
    spinning = prepareSpinning();
    Object.assign(process.env, spinning.env);
    clock = createVirtualClock();
    own = startFileReader(clock);
  });
  afterEach(async () => {
    own.close();
    await clock.pass(GRACE_MS);
    await Promise.all((await spinning.pids()).map(untilGone));
  });
  afterAll(() => {
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
  const read = (caller: string) => own.run('inspect', write('a.jsonl', rows), { caller });

  it('keeps no other caller waiting, however much of it there is', async () => {
    for (let i = 0; i < 10; i++) spin('greedy');
    await spinning.until(2);
    expect(own.load).toMatchObject({ running: 2, waiting: 8, heldUpMs: 0 });
    for (const caller of ['first', 'second']) expect(await read(caller)).toMatchObject({ rows: 2 });
    expect(await spinning.pids()).toHaveLength(2);
  });

  it('keeps its own caller’s pages and digests waiting no more than another’s if it takes long', async () => {
    const long = write('long.jsonl', SPINS + '\n'.repeat(17 * 1024 ** 2));
    for (let i = 0; i < 3; i++) own.run('inspect', long, us).catch(() => {});
    await spinning.until(2);
    expect(await read('us')).toMatchObject({ rows: 2 });
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
    expect(await read('greedy')).toMatchObject({ rows: 2 });
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
    stop.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    await clock.pass(499);
    expect(pids.every(isAlive)).toBe(true);
    await clock.pass(1);
    await Promise.all(pids.map(untilGone));
  });

  it('ends with its caller, who leaves its place to the next', async () => {
    const stop = new AbortController();
    const works = [spin('greedy', stop.signal), spin('greedy', stop.signal)];
    const next = read('greedy');
    await spinning.until(2);
    stop.abort(new Error('enough'));
    for (const work of works) await expect(work).rejects.toThrow('enough');
    await clock.pass(500);
    await Promise.all((await spinning.pids()).map(untilGone));
    expect(await next).toMatchObject({ rows: 2 });
  });

  it('says for how long it holds others up, when many callers do it', async () => {
    for (const caller of ['a', 'b', 'c']) spin(caller);
    await spinning.until(3);
    const stop = new AbortController();
    const waits = own.run('inspect', write('a.jsonl', rows), { caller: 'd', signal: stop.signal });
    await until(() => own.load.waiting).toBe(1);
    await clock.pass(3000);
    expect(own.load).toEqual({ running: 3, waiting: 1, heldUpMs: 3000 });
    stop.abort(new Error('enough'));
    await expect(waits).rejects.toThrow('enough');
    expect(own.load).toMatchObject({ waiting: 0, heldUpMs: 0 });
  });

  it('is bounded: the last of the caller with the most is refused, but no part of a job', async () => {
    for (const caller of ['a', 'b', 'c']) spin(caller);
    await spinning.until(3);
    const refused: string[] = [];
    const errors: unknown[] = [];
    const ask = (caller: string, isAccepted = false) =>
      own.run('inspect', write('a.jsonl', rows), { caller, isAccepted }).catch(error => {
        refused.push(caller);
        errors.push(error);
      });
    for (let i = 0; i < 62; i++) void ask('greedy');
    await until(() => refused).toEqual(['greedy']);
    expect(errors[0]).toBeInstanceOf(EngineError);
    expect(errors[0]).toMatchObject({
      code: 'engine_busy',
      message: expect.stringContaining('The file reader is busy: 3 requests running'),
    });
    void ask('modest');
    await until(() => refused).toEqual(['greedy', 'greedy']);
    void ask('greedy', true);
    await until(() => own.load.waiting).toBe(62);
    expect(refused).toHaveLength(2);
  });
});
