// Runs a training job in a low-priority process: svc's own engine, or another program.
import { type Clock, realClock } from '../../clock/index.js';
import type { RewardQuestion, RewardRequest, RewardResponse } from '../../contract/index.js';
import type { HeartbeatLimits } from './heartbeat.js';
import { type Program, startLineProcess } from './line-process.js';
import type { EngineEvent, FromWorker, RunFile, RunOutcome, ToWorker, TrainTask } from './messages.js';
import { type ProcessEnd, startWorker, type WorkerProcess } from './worker-process.js';

export interface TrainingRun {
  pid: number;
  /** How it ended. A process that exits without reporting has failed. */
  ended: Promise<
    ProcessEnd & {
      status: RunOutcome;
      /** The error code of the disk fault that interrupted it, or of the shortage that kept it from starting. */
      diskFault?: string;
    }
  >;
  /** Stops after the current pass and keeps what was saved. */
  cancel(): void;
  /** Stops after the current step, with a checkpoint to resume from. */
  pause(): void;
  /** Kills the process. */
  kill(): void;
}

interface TrainingListener<Request> {
  /** Training waits while too many returned promises are pending. */
  onEvent(event: EngineEvent): void | Promise<void>;
  /** A save waits because of this disk fault; null once it is done. */
  onHeldUp?(diskFault: string | null): void;
  /** Rewards the answers of a step, for a run that learns from them. */
  score?(request: Request): Promise<RewardResponse>;
}

/** No pass takes an hour on a machine that can train the model at all, or ten minutes on a GPU. */
const BUSY_MS = { cpu: 60 * 60_000, gpu: 10 * 60_000 };
const SILENT_MS = 60_000;

type Listener = TrainingListener<RewardRequest>;

export function startTraining(
  task: TrainTask,
  onEvent: Listener['onEvent'],
  { onHeldUp = () => {}, score, clock = realClock }: Omit<Listener, 'onEvent'> & { clock?: Clock } = {},
): TrainingRun {
  const start: Start<ToWorker> = (onMessage, limits) => startWorker(onMessage, { low: true, limits, clock });
  return followTraining(
    start,
    { type: 'train', task },
    { onEvent, onHeldUp, ...(score && { score }) },
    task.device?.type,
  );
}

/** The program gets the run as its first line. It knows rows by their places alone. */
export function startTrainingProgram(
  program: Program,
  run: RunFile,
  listener: TrainingListener<RewardQuestion>,
  clock = realClock,
): TrainingRun {
  const start: Start<RunFile | Command> = (onMessage, limits) =>
    startLineProcess(onMessage, program, { limits, clock });
  return followTraining(start, run, listener);
}

type Command = Extract<ToWorker, { type: 'cancel' | 'pause' | 'handled' | 'scored' }>;
const refuseToScore = () => Promise.reject(new Error('Nothing rewards the answers of this run.'));

type Start<In> = (onMessage: (message: FromWorker) => void, limits: HeartbeatLimits) => WorkerProcess<In>;

function followTraining<First, Request>(
  start: Start<First | Command>,
  first: First,
  { onEvent, onHeldUp = () => {}, score = refuseToScore }: TrainingListener<Request>,
  device: keyof typeof BUSY_MS = 'cpu',
): TrainingRun {
  let end: { status: RunOutcome; diskFault?: string } = { status: 'failed' };
  let handled = 0;
  const limits: HeartbeatLimits = { silentMs: SILENT_MS, busyMs: BUSY_MS[device] };
  const worker = start(message => {
    if (message.type === 'event') {
      const { event } = message;
      if (event.type === 'training.started' && event.device) limits.busyMs = BUSY_MS[event.device.type];
      void handle(event);
    } else if (message.type === 'score') void answerScore(message.request as Request);
    else if (message.type === 'held-up') onHeldUp(message.diskFault);
    else if (message.type === 'done') {
      const { type: _, ...outcome } = message;
      end = outcome;
    }
  }, limits);
  async function handle(event: EngineEvent): Promise<void> {
    await onEvent(event);
    if (++handled === 1) setImmediate(confirm);
  }
  async function answerScore(request: Request): Promise<void> {
    try {
      worker.send({ type: 'scored', response: await score(request) });
    } catch (error) {
      worker.send({ type: 'scored', problem: error instanceof Error ? error.message : String(error) });
    }
  }
  function confirm(): void {
    worker.send({ type: 'handled', count: handled });
    handled = 0;
  }
  worker.send(first);
  return {
    pid: worker.pid,
    ended: worker.ended.then(({ startFault, ...ended }) =>
      startFault === undefined
        ? { ...end, ...ended }
        : { status: 'interrupted', diskFault: startFault, ...ended },
    ),
    cancel: () => worker.send({ type: 'cancel' }),
    pause: () => worker.send({ type: 'pause' }),
    kill: worker.kill,
  };
}
