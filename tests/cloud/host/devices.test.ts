// Which device a run starts on, and when. The processes are played.
import { expect, it } from 'vitest';
import { createDeviceStarter, createGpuTurns, type GpuTurns } from '../../../lib/cloud/host/devices.js';
import type { EngineEvent, RunOutcome, TrainingRun } from '../../../lib/engine/index.js';

const GPU = { type: 'gpu' } as const;
const settled = () => new Promise(resolve => setImmediate(resolve));

/** Runs that end when they are told to. */
function play(choose = async () => GPU as { type: 'cpu' | 'gpu' }, turns?: GpuTurns) {
  const startOnDevice = createDeviceStarter(choose, turns);
  const started: string[] = [];
  return {
    started,
    start(name: string) {
      const waits: (string | null)[] = [];
      let tell!: (event: EngineEvent) => void;
      let end!: (status: RunOutcome) => void;
      const ended = new Promise<RunOutcome>(resolve => {
        end = resolve;
      });
      const run = startOnDevice(
        { onEvent() {}, waitsFor: reason => waits.push(reason) },
        (device, onEvent): TrainingRun => {
          started.push(`${name} on ${device.type}`);
          tell = event => void onEvent(event);
          return {
            pid: 0,
            ended: ended.then(status => ({ status, exitCode: 0, signal: null })),
            cancel: () => end('cancelled'),
            pause: () => end('paused'),
            kill: () => end('failed'),
          };
        },
      );
      return {
        ...run,
        waits,
        end: (status: RunOutcome) => end(status),
        tell: (event: object) => tell(event as EngineEvent),
      };
    },
  };
}

it('one run at a time uses the GPU; the next one waits, and says so', async () => {
  const { start, started } = play();
  const [first, second, third] = [start('first'), start('second'), start('third')];
  await settled();
  expect(started).toEqual(['first on gpu']);
  expect([first.waits, second.waits]).toEqual([[null], ['Another run is using the GPU.']]);
  second.cancel();
  expect(await second.ended).toMatchObject({ status: 'cancelled' });
  first.end('completed');
  await first.ended;
  await settled();
  expect(started).toEqual(['first on gpu', 'third on gpu']);
  expect(third.waits.at(-1)).toBeNull();
});

it('engines that share the turns wait for each other', async () => {
  const turns = createGpuTurns();
  const [one, other] = [play(undefined, turns), play(undefined, turns)];
  const [first, second] = [one.start('first'), other.start('second')];
  await settled();
  expect([one.started, other.started]).toEqual([['first on gpu'], []]);
  expect(second.waits).toEqual(['Another run is using the GPU.']);
  first.end('completed');
  await first.ended;
  await settled();
  expect(other.started).toEqual(['second on gpu']);
});

it('a run that has left the GPU for the CPU does not keep others waiting', async () => {
  const { start, started } = play();
  const [first] = [start('first'), start('second')];
  await settled();
  first.tell({ type: 'training.started', device: GPU });
  await settled();
  expect(started).toEqual(['first on gpu']);
  first.tell({ type: 'training.started', device: { type: 'cpu', reason: 'The GPU failed.' } });
  await settled();
  expect(started).toEqual(['first on gpu', 'second on gpu']);
});

it('runs on the CPU do not wait for each other', async () => {
  const { start, started } = play(async () => ({ type: 'cpu' }));
  const run = [start('first'), start('second')].at(-1)!;
  await settled();
  expect(started).toEqual(['first on cpu', 'second on cpu']);
  run.pause();
  expect(await run.ended).toMatchObject({ status: 'paused' });
});

it.each([
  ['cancel', 'cancelled'],
  ['pause', 'paused'],
  ['kill', 'failed'],
] as const)('%s stops a run whose device is not chosen yet', async (how, status) => {
  const { start, started } = play(() => new Promise(() => {}));
  const run = start('first');
  run[how]();
  expect(await run.ended).toMatchObject({ status });
  expect(started).toEqual([]);
});
