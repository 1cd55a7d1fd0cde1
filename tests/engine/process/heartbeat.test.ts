// The worker's end of the heartbeat, without its thread: whichever steps of the main thread come between those of a beat, what
// is written is no reason to end a process that works.
import { PassThrough } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { announce, BEAT, watchHeartbeat } from '../../../lib/engine/process/heartbeat.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const BEAT_MS = 250;
/** How often a beat reads a counter. */
const LOADS = 3;

/** A thread whose beats are called, and what it wrote last. `beforeLoad` is called before a beat reads a counter. */
function openThread(counters: Int32Array) {
  const thread = { beat: () => {}, line: '', beforeLoad: () => {} };
  const modules: Record<string, object> = {
    'node:fs': {
      writeSync(_: number, line: string) {
        thread.line = line;
      },
    },
    'node:worker_threads': { workerData: { counters, fd: 0, beatMs: BEAT_MS, graceMs: 0 } },
  };
  runInNewContext(BEAT, {
    require: (name: string) => modules[name],
    setInterval(act: () => void) {
      thread.beat = act;
    },
    Atomics: {
      load(from: Int32Array, index: number) {
        thread.beforeLoad();
        return Atomics.load(from, index);
      },
    },
  });
  return thread;
}

/** What the main thread does, one by one, to announce this. */
function stepsOf(counters: Int32Array, allowedMs: number): (() => void)[] {
  const steps: (() => void)[] = [];
  const spies = (['add', 'store'] as const).map(name => {
    const act = Atomics[name] as (...given: unknown[]) => number;
    const note = (...given: unknown[]) => steps.push(() => act(...given));
    return vi.spyOn(Atomics, name).mockImplementation(note as never);
  });
  announce(counters, allowedMs);
  for (const spy of spies) spy.mockRestore();
  return steps;
}

/** All ways in which steps can come between reads: how many were done before each. */
function orders(steps: number, reads: number): number[][] {
  if (reads === 0) return [[]];
  return orders(steps, reads - 1).flatMap(before => {
    const least = before.at(-1) ?? 0;
    return Array.from({ length: steps - least + 1 }, (_, i) => [...before, least + i]);
  });
}

/** Says whether a process that writes this line is overdue. */
function openWatch() {
  const beats = new PassThrough();
  const limits = { silentMs: 10_000, busyMs: 40_000 };
  const watch = watchHeartbeat(beats, limits, { onLost() {} }, createVirtualClock());
  onTestFinished(watch.stop);
  return async (line: string) => {
    beats.write(line);
    await new Promise(resolve => setImmediate(resolve));
    return watch.isOverdue;
  };
}

const OPENING_MS = 600_000;
const MINUTE_OF_BEATS = 60_000 / BEAT_MS;

it.each([
  { when: 'a long opening in native code ends', before: OPENING_MS, turns: 0, announced: [0] },
  { when: 'a run begins after a pause', before: 0, turns: 1, announced: [20_000] },
  { when: 'a run follows a long opening', before: OPENING_MS, turns: 0, announced: [0, 20_000] },
  { when: 'a run follows a longer one', before: OPENING_MS, turns: 1, announced: [0, 20_000, 0] },
])('a process that works is not overdue when $when', async ({ before, turns, announced }) => {
  const isOverdue = openWatch();
  const steps = announced.length * stepsOf(new Int32Array(3), 0).length;
  for (const order of orders(steps, LOADS)) {
    const counters = new Int32Array(3);
    const thread = openThread(counters);
    announce(counters, before);
    for (let i = 0; i < MINUTE_OF_BEATS; i++) {
      Atomics.add(counters, 0, turns);
      thread.beat();
    }
    const left = announced.flatMap(allowedMs => stepsOf(counters, allowedMs));
    const due = [...order];
    let done = 0;
    thread.beforeLoad = () => {
      for (const upTo = due.shift() ?? steps; done < upTo; done++) left.shift()!();
    };
    thread.beat();
    expect(due, 'each read is counted').toEqual([]);
    expect([order, await isOverdue(thread.line)]).toEqual([order, false]);
    thread.beat();
    expect([order, await isOverdue(thread.line)]).toEqual([order, false]);
  }
});

it('tells how long the main thread has been blocked, and how long its work has been running and may', () => {
  const counters = new Int32Array(3);
  const thread = openThread(counters);
  thread.beat();
  announce(counters, 1999.5);
  thread.beat();
  expect(thread.line).toBe('0 0 2000\n');
  for (let i = 0; i < 4; i++) thread.beat();
  expect(thread.line).toBe('1000 1000 2000\n');
  Atomics.add(counters, 0, 1);
  thread.beat();
  expect(thread.line).toBe('0 1250 2000\n');
});
