// A training job in a process of low priority.
import type { EngineEvent, FinalStatus, TrainTask } from './messages.js';
import { startWorker } from './worker-process.js';

export interface TrainingRun {
  pid: number;
  /** How it ended. A process that died without a word has failed. */
  ended: Promise<{ status: FinalStatus; exitCode: number | null; signal: NodeJS.Signals | null }>;
  /** Ends it at the next pass. What was saved stays. */
  cancel(): void;
  /** Ends it behind the step that it is at, with a checkpoint to go on from. */
  pause(): void;
  /** Ends it at once. */
  kill(): void;
}

/** Starts a training job, and hands on what it tells. */
export function startTraining(task: TrainTask, onEvent: (event: EngineEvent) => void): TrainingRun {
  let status: FinalStatus = 'failed';
  const worker = startWorker(
    message => {
      if (message.type === 'event') onEvent(message.event);
      else if (message.type === 'done') status = message.status;
    },
    { low: true },
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
