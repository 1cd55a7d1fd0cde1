// Starts the runs of this machine on their device. One at a time uses the GPU, since processes would share its memory: the
// others wait for it.
import type { CloudDevice, RunDevice } from '../../contract/index.js';
import type { EngineEvent, RunOutcome, TrainingRun } from '../../engine/index.js';
import { createMutex, untilAborted } from '../../system/index.js';
import type { JobRun } from '../seams/runner.js';

export type DeviceSetting = CloudDevice['setting'];

interface Listener {
  onEvent(event: EngineEvent): void | Promise<void>;
  /** With the reason for waiting, as a sentence, and with null once it continues. */
  waitsFor(reason: string | null): void;
}

/** What a run computes on. Tells the listener if it takes a while to find out. */
export type ChooseDevice = (listener: Pick<Listener, 'waitsFor'>) => Promise<RunDevice>;

/** Starts a run's process. Throws if the signal has aborted meanwhile. */
type Start = (
  device: RunDevice,
  onEvent: Listener['onEvent'],
  signal: AbortSignal,
) => TrainingRun | Promise<TrainingRun>;

export type StartOnDevice = (listener: Listener, start: Start) => JobRun;

/** `borrowGpu`: the turns of all that use this machine's GPU. */
export function createDeviceStarter(choose: ChooseDevice, borrowGpu = createGpuTurns()): StartOnDevice {
  return (listener, start) =>
    startLater(async signal => {
      const device = await untilAborted(choose(listener), signal);
      if (device.type === 'cpu') return start(device, listener.onEvent, signal);
      const release = await borrowGpu(listener, signal);
      try {
        const onEvent: Listener['onEvent'] = event => {
          if (event.type === 'training.started' && event.device?.type === 'cpu') release();
          return listener.onEvent(event);
        };
        const run = await start(device, onEvent, signal);
        void run.ended.then(release);
        return run;
      } catch (error) {
        release();
        throw error;
      }
    });
}

export type GpuTurns = ReturnType<typeof createGpuTurns>;

/** What it returns resolves, when it is its turn, with a function that ends it. */
export function createGpuTurns() {
  const inTurn = createMutex();
  let users = 0;
  return async (listener: Pick<Listener, 'waitsFor'>, signal: AbortSignal): Promise<() => void> => {
    const turn = new Promise<() => void>(begin => {
      void inTurn(() => new Promise<void>(begin)).then(() => users--);
    });
    if (users++ > 0) listener.waitsFor('Another run is using the GPU.');
    const end = await untilAborted(turn, signal).catch(error => {
      void turn.then(end => end());
      throw error;
    });
    listener.waitsFor(null);
    return end;
  };
}

/** A run that can be stopped before its process starts. */
function startLater(begin: (signal: AbortSignal) => Promise<TrainingRun>): JobRun {
  const stopped = new AbortController();
  let run: TrainingRun | undefined;
  let order: 'cancel' | 'pause' | 'kill' = 'kill';
  const stop = (wanted: typeof order) => () => {
    order = wanted;
    stopped.abort();
    run?.[order]();
  };
  const ended = begin(stopped.signal).then(
    started => {
      run = started;
      if (stopped.signal.aborted) run[order]();
      return run.ended;
    },
    error => {
      if (!stopped.signal.aborted) throw error;
      return { status: OUTCOMES[order], exitCode: null, signal: null };
    },
  );
  return { ended, cancel: stop('cancel'), pause: stop('pause'), kill: stop('kill') };
}

const OUTCOMES: Readonly<Record<'cancel' | 'pause' | 'kill', RunOutcome>> = {
  cancel: 'cancelled',
  pause: 'paused',
  kill: 'failed',
};
