// Training for an agent: the project's program runs as long as its job, so starting it and following it are two tools.
import { realClock } from '../../lib/clock/index.js';
import { isFinalStatus, type JobStatus } from '../../lib/contract/index.js';
import { startTrainIn, type TrainChild } from '../../lib/studio/index.js';
import { type Place, readDocument, reasonOf, runSvc, toAgentEnv } from './run-svc.js';
import { endOf } from './whole-text.js';

export interface Trainings {
  /**
   * Resolves with the job once it is queued; the program that follows it stays. Throws what it said if it ends before. Aborting
   * ends it before that.
   */
  start(args: readonly string[], signal: AbortSignal): Promise<{ job: string }>;
  /** Lets go of the programs; their jobs go on in the cloud. */
  close(): Promise<void>;
}

const LAST_CHARACTERS = 2000;

export function createTrainings({ folder, env }: Place): Trainings {
  const running = new Set<TrainChild>();
  return {
    async start(args, signal) {
      signal.throwIfAborted();
      let output = '';
      const decoder = new TextDecoder();
      let onJob = (_: string) => {};
      const queued = new Promise<string>(resolve => {
        onJob = resolve;
      });
      const child = await startTrainIn(folder, toAgentEnv(env))(
        {
          onOutput(bytes) {
            output = endOf(output + decoder.decode(bytes, { stream: true }), LAST_CHARACTERS);
          },
          onJob: id => onJob(id),
        },
        args,
      );
      running.add(child);
      const ended = child.exited.then(async code => {
        running.delete(child);
        await child.drained;
        throw new Error(output.trim().replace(/^svc: /m, '') || `svc start ended with exit code ${code}.`);
      });
      ended.catch(() => {});
      const stop = () => void child.stop();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      try {
        return { job: await Promise.race([queued, ended]) };
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    async close() {
      await Promise.all([...running].map(child => child.stop()));
    },
  };
}

export interface Followed {
  id: string;
  status: JobStatus;
  error?: string | null;
  step?: number | null;
  totalSteps?: number | null;
  loss?: number | null;
  evalLoss?: number | null;
  reward?: number | null;
  evalReward?: number | null;
  bestScore?: unknown;
  isFinal: boolean;
}

interface LoggedStep {
  step: number;
  loss?: number | null;
  reward?: number | null;
}

interface FollowOptions {
  /** Return at this step. */
  step?: number | undefined;
  seconds: number;
  signal: AbortSignal;
  onStep(logged: LoggedStep, totalSteps: number | undefined): void;
}

/** Follows a job until a step or its end, or for some seconds. The job goes on in any case. */
export async function followJobFor(
  place: Place,
  word: string,
  { step: until = Number.POSITIVE_INFINITY, seconds, signal, onStep }: FollowOptions,
): Promise<Followed> {
  const id = await findId(place, word, signal);
  const enough = new AbortController();
  const timer = realClock.after(seconds * 1000, () => enough.abort());
  let totalSteps: number | undefined;
  try {
    const run = await runSvc(['jobs', 'logs', '--follow', '--', id], place, {
      signal: AbortSignal.any([signal, enough.signal]),
      onLine(line) {
        const event = JSON.parse(line) as LoggedStep & { type: string; totalSteps?: number };
        if (event.type === 'training.started') totalSteps = event.totalSteps;
        if (event.type !== 'training.log') return;
        onStep(event, totalSteps);
        if (event.step >= until) enough.abort();
      },
    });
    signal.throwIfAborted();
    if (!enough.signal.aborted && run.stdout === '') throw new Error(reasonOf(run));
  } finally {
    timer.stop();
  }
  const shown = await readDocument(['jobs', 'show', '--', id], place, { signal });
  const { job } = shown as { job: Omit<Followed, 'isFinal'> };
  return { ...job, isFinal: isFinalStatus(job.status) };
}

/** The newest job is found once: it may be another one later. */
async function findId(place: Place, word: string, signal: AbortSignal): Promise<string> {
  if (!word.startsWith('latest')) return word;
  const shown = await readDocument(['jobs', 'show', '--', word], place, { signal });
  return (shown as { job: { id: string } }).job.id;
}
