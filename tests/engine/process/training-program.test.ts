// A run in a program that is not svc's own engine: it speaks JSON over its pipes, one object per line.
import { expect, it } from 'vitest';
import { type EngineEvent, type RunFile, startTrainingProgram } from '../../../lib/engine/index.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const run = { run: { jobId: 'j' } } as unknown as RunFile;

/** Its script has `take`, which is called with each line, and `tell`. */
function start(script: string, clock = createVirtualClock()) {
  const events: EngineEvent[] = [];
  const prelude = `
    const tell = message => process.stdout.write(JSON.stringify(message) + '\\n');
    const log = step => tell({ type: 'event', event: { type: 'training.log', jobId: 'j', step } });
    const lines = require('node:readline').createInterface({ input: process.stdin });
    lines.on('line', line => take(JSON.parse(line)));
    lines.on('close', () => process.exit(3));`;
  const program = { path: process.execPath, args: ['-e', prelude + script], env: process.env };
  const training = startTrainingProgram(program, run, { onEvent: event => void events.push(event) }, clock);
  return { training, steps: () => events.map(event => 'step' in event && event.step) };
}

it('gets the run first, and its messages arrive in order, the last one before its end', async () => {
  const { training, steps } = start(`
    const take = ({ run }) => {
      if (run?.jobId !== 'j') return;
      for (let step = 1; step <= 1000; step++) log(step);
      tell({ type: 'done', status: 'completed' });
      process.exitCode = 7;
      process.stdin.destroy();
    };`);
  expect(await training.ended).toEqual({ status: 'completed', exitCode: 7, signal: null });
  expect(steps()).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
});

it('is told what is wanted, and how many events were handled', async () => {
  const { training } = start(`
    const seen = [];
    const take = ({ type, count }) => {
      if (type === 'handled') seen.push(count);
      else if (type === undefined) { log(1); log(2); }
      if (seen.reduce((sum, one) => sum + one, 0) === 2) tell({ type: 'held-up', diskFault: 'ENOSPC' });
      if (type !== 'pause') return;
      tell({ type: 'done', status: 'paused' });
      process.exit(0);
    };`);
  training.pause();
  expect(await training.ended).toEqual({ status: 'paused', exitCode: 0, signal: null });
});

it('may print what is no message', async () => {
  const { training, steps } = start(`
    const take = ({ run }) => {
      if (!run) return;
      for (const text of ['hello', '[1]', 'null', '{"a":1}', '{']) console.log(text);
      log(1);
      tell({ type: 'done', status: 'completed' });
      process.exit(0);
    };`);
  expect(await training.ended).toMatchObject({ status: 'completed' });
  expect(steps()).toEqual([1]);
});

it.each([
  ['silent', ''],
  ['busy for an hour', 'setInterval(() => beat(3600001), 50);'],
])('is killed when it has been %s', async (_, more) => {
  const clock = createVirtualClock();
  const { training, steps } = start(
    `const beat = busyMs => tell({ type: 'beat', busyMs });
     const take = ({ run }) => run && (beat(0), log(1));
     ${more}`,
    clock,
  );
  await until(steps).toEqual([1]);
  let ending: unknown;
  void training.ended.then(end => {
    ending = end;
  });
  await until(async () => {
    await clock.pass(61_000);
    return ending;
  }).toEqual({ status: 'failed', exitCode: null, signal: 'SIGKILL', hung: true });
});

it('has failed where it dies without a word, and where it cannot be started', async () => {
  expect(await start('process.exit(5)').training.ended).toEqual({
    status: 'failed',
    exitCode: 5,
    signal: null,
  });
  const missing = { path: '/no/such/program', args: [], env: {} };
  const none = startTrainingProgram(missing, run, { onEvent() {} });
  none.cancel();
  none.kill();
  expect(await none.ended).toEqual({ status: 'failed', exitCode: null, signal: null });
});
