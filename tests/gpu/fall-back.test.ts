// A run on the GPU whose process dies: the next attempt continues on the CPU, says why, and nothing is lost.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type EngineEvent, startTraining, type TrainTask } from '../../lib/engine/index.js';
import { GPU_MARK } from '../../lib/engine/run-layout.js';
import { lossesIn, makeTask } from '../engine/tasks/make-task.js';

/** Its events, and how it ended. Dies of a signal, as of a driver's fault, at the first log after a checkpoint. */
async function run(task: TrainTask, dies?: NodeJS.Signals) {
  const events: EngineEvent[] = [];
  const training = startTraining(task, event => {
    events.push(event);
    const isSaved = events.some(({ type }) => type === 'checkpoint.saved');
    if (dies && isSaved && event.type === 'training.log') process.kill(training.pid, dies);
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
