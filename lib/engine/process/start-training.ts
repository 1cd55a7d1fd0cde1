// A training job in a process of low priority.
import type { EngineEvent, FinalStatus, TrainTask } from './messages.js';
import type { HeartbeatLimits } from './watch-heartbeat.js';
import { type ProcessEnd, startWorker } from './worker-process.js';

export interface TrainingRun {
  pid: number;
  /** How it ended. A process that died without a word has failed. */
  ended: Promise<ProcessEnd & { status: FinalStatus }>;
  /** Ends it at the next pass. What was saved stays. */
  cancel(): void;
  /** Ends it behind the step that it is at, with a checkpoint to go on from. */
  pause(): void;
  /** Ends it at once. */
  kill(): void;
}

/** Silent for a minute: stopped. Busy for an hour: longer than any step on any machine that can train the model. */
const LIMITS: HeartbeatLimits = { silentMs: 60_000, busyMs: 60 * 60_000 };

/** Starts a training job, and hands on what it tells. */
export function startTraining(
  task: TrainTask,
  onEvent: (event: EngineEvent) => void,
  limits = LIMITS,
): TrainingRun {
  let status: FinalStatus = 'failed';
  const worker = startWorker(
    message => {
      if (message.type === 'event') onEvent(message.event);
      else if (message.type === 'done') status = message.status;
    },
    { low: true, limits },
  );
  worker.send({ type: 'train', task });
  return {
    pid: worker.pid,
    ended: worker.ended.then(end => ({ status, ...end })),
    cancel: () => worker.send({ type: 'cancel' }),
    pause: () => worker.send({ type: 'pause' }),
    kill: worker.kill,
  };
}
