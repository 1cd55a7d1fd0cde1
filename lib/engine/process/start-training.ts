// A training job in a process of low priority.
import type { EngineEvent, RunOutcome, TrainTask } from './messages.js';
import type { HeartbeatLimits } from './watch-heartbeat.js';
import { type ProcessEnd, startWorker } from './worker-process.js';

export interface TrainingRun {
  pid: number;
  /** How it ended. A process that died without a word has failed. */
  ended: Promise<
    ProcessEnd & {
      status: RunOutcome;
      /** The code of the fault that interrupted it. */
      diskFault?: string;
    }
  >;
  /** Ends it at the next pass. What was saved stays. */
  cancel(): void;
  /** Ends it behind the step that it is at, with a checkpoint to go on from. */
  pause(): void;
  /** Ends it at once. */
  kill(): void;
}

export interface TrainingListener {
  /** A promise holds the training back when too many are not resolved. */
  onEvent(event: EngineEvent): void | Promise<void>;
  /** A save waits because of this fault of the disk's; null once it is done. */
  onHeldUp?(diskFault: string | null): void;
}
/** Silent for a minute: stopped. Busy for an hour: longer than any step on any machine that can train the model. */
const LIMITS: HeartbeatLimits = { silentMs: 60_000, busyMs: 60 * 60_000 };

/** Starts a training job, and hands on what it tells. */
export function startTraining(
  task: TrainTask,
  onEvent: TrainingListener['onEvent'],
  onHeldUp: TrainingListener['onHeldUp'] = () => {},
  limits = LIMITS,
): TrainingRun {
  let end: { status: RunOutcome; diskFault?: string } = { status: 'failed' };
  let taken = 0;
  const worker = startWorker(
    message => {
      if (message.type === 'event') void take(message.event);
      else if (message.type === 'held-up') onHeldUp(message.diskFault);
      else if (message.type === 'done') {
        const { type: _, ...how } = message;
        end = how;
      }
    },
    { low: true, limits },
  );
  async function take(event: EngineEvent): Promise<void> {
    await onEvent(event);
    if (++taken === 1) setImmediate(confirm);
  }
  function confirm(): void {
    worker.send({ type: 'taken', count: taken });
    taken = 0;
  }
  worker.send({ type: 'train', task });
  return {
    pid: worker.pid,
    ended: worker.ended.then(ended => ({ ...end, ...ended })),
    cancel: () => worker.send({ type: 'cancel' }),
    pause: () => worker.send({ type: 'pause' }),
    kill: worker.kill,
  };
}
