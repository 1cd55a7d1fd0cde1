// A run on the GPU that is interrupted. After a pause, or if all of the cloud was killed, the next attempt continues on the GPU; if the
// run's process died, on the CPU. Nothing is lost.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type EngineEvent, startTraining, type TrainTask } from '../../lib/engine/index.js';
import { GPU_MARK } from '../../lib/engine/run-layout.js';
import { lossesIn, makeTask } from '../engine/tasks/make-task.js';

/** Its events, and how it ended. `meddle` happens at the first log after a checkpoint, such as a signal, as of a driver's fault. */
async function run(task: TrainTask, meddle?: NodeJS.Signals | 'pause') {
  const events: EngineEvent[] = [];
  const training = startTraining(task, event => {
    events.push(event);
    const isSaved = events.some(({ type }) => type === 'checkpoint.saved');
    if (!meddle || !isSaved || event.type !== 'training.log') return;
    if (meddle === 'pause') training.pause();
    else process.kill(training.pid, meddle);
  });
  return { events, ...(await training.ended) };
}

const startsOf = (events: EngineEvent[]) =>
  events.flatMap(event => (event.type === 'training.started' ? [event] : []));

it('a run on the GPU has the losses of the CPU', async () => {
  const options = { saveSteps: 2 };
  const right = lossesIn((await run(await makeTask(options))).events);
  const task: TrainTask = { ...(await makeTask(options)), device: { type: 'gpu', name: 'A card' } };
  const { events, status } = await run(task);
  expect(status).toBe('completed');
  expect(startsOf(events)).toMatchObject([{ device: { type: 'gpu', name: 'A card' } }]);
  const found = lossesIn(events);
  expect(found.map(([step]) => step)).toEqual(right.map(([step]) => step));
  for (const [i, [, loss]] of right.entries()) expect(found[i]![1]).toBeCloseTo(loss!, 4);
  expect(existsSync(join(task.request.folder, GPU_MARK))).toBe(false);
});

it('a run that is paused on the GPU continues there with the same losses', async () => {
  const options = { saveSteps: 2, maxSteps: 40 };
  const device = { type: 'gpu' } as const;
  const right = lossesIn((await run({ ...(await makeTask(options)), device })).events);
  const task: TrainTask = { ...(await makeTask(options)), device };
  const first = await run(task, 'pause');
  expect(first.status).toBe('paused');
  const { events, status } = await run(task);
  expect(status).toBe('completed');
  expect(startsOf(events)).toMatchObject([{ resumedFromStep: expect.any(Number), device }]);
  expect([...lossesIn(first.events), ...lossesIn(events)]).toEqual(right);
});

it('a run that was killed with its cloud continues on the GPU from its last checkpoint with the same losses', async () => {
  const options = { saveSteps: 2 };
  const device = { type: 'gpu' } as const;
  const right = lossesIn((await run({ ...(await makeTask(options)), device })).events);
  const task: TrainTask = { ...(await makeTask(options)), device };
  expect(await run(task, 'SIGKILL')).toMatchObject({ status: 'failed', signal: 'SIGKILL' });
  const mark = join(task.request.folder, GPU_MARK);
  // What started the process is another one now.
  writeFileSync(mark, JSON.stringify({ ...JSON.parse(readFileSync(mark, 'utf8')), parent: 'gone' }));
  const { events, status } = await run(task);
  expect(status).toBe('completed');
  expect(startsOf(events)).toMatchObject([{ resumedFromStep: 2, device }]);
  expect(lossesIn(events)).toEqual(right.slice(2));
  expect(existsSync(mark)).toBe(false);
});

it('a run whose process dies on the GPU continues on the CPU from its last checkpoint', async () => {
  const right = lossesIn((await run(await makeTask({ saveSteps: 2 }))).events);
  const task: TrainTask = { ...(await makeTask({ saveSteps: 2 })), device: { type: 'gpu' } };
  const first = await run(task, 'SIGSEGV');
  expect(first).toMatchObject({ status: 'failed', signal: 'SIGSEGV' });
  expect(existsSync(join(task.request.folder, GPU_MARK))).toBe(true);
  const { events, status } = await run(task);
  expect(status).toBe('completed');
  const reason = 'Its process died when it last used the GPU.';
  expect(startsOf(events)).toMatchObject([{ resumedFromStep: 2, device: { type: 'cpu', reason } }]);
  for (const [step, loss] of lossesIn(events)) expect(loss).toBeCloseTo(right[step - 1]![1]!, 4);
});
