// Answers that wait for rewards from the program that started their job. Kept only in memory: after a restart, the run samples
// the same answers again, which then have the same ID. A job whose program is gone waits, and says so.
import { createHash } from 'node:crypto';
import type { Clock, Timer } from '../../clock/index.js';
import {
  ApiError,
  type PendingRewards,
  REWARDS_POLL_MS,
  type RewardReport,
  type RewardRequest,
  type RewardResponse,
} from '../../contract/index.js';
import { untilAborted } from '../../system/index.js';
import type { JobWaits } from './job-waits.js';

interface JobKey {
  id: string;
  project_id: string;
}

export interface PendingRewardsDesk {
  /** Resolves with what the program reports. Rejects if the signal aborts. */
  ask(job: JobKey, request: RewardRequest, signal: AbortSignal): Promise<RewardResponse>;
  /** For the program: the answers that wait, unless it knows them; null after a while. */
  next(jobId: string, known: string | undefined, signal: AbortSignal): Promise<PendingRewards | null>;
  /** False if nothing waits for these rewards. Throws if there are not as many as answers. */
  report(jobId: string, report: RewardReport): boolean;
}

/** A program that asks again within this time is still there. */
const ABSENT_MS = 5000;

interface Waiting {
  job: JobKey;
  pending: PendingRewards;
  resolve(response: RewardResponse): void;
}

/** The programs that ask for a job's answers now. */
interface Programs {
  count: number;
  /** Called when there are other answers. */
  wake: Set<() => void>;
  absence: Timer | null;
}

export function createPendingRewards(clock: Clock, waits: Pick<JobWaits, 'report'>): PendingRewardsDesk {
  const waiting = new Map<string, Waiting>();
  const programs = new Map<string, Programs>();

  function programsOf(jobId: string): Programs {
    const known = programs.get(jobId) ?? { count: 0, wake: new Set(), absence: null };
    programs.set(jobId, known);
    return known;
  }

  function leave(jobId: string): void {
    const own = programsOf(jobId);
    own.absence?.stop();
    own.absence = null;
    if (own.count === 0) programs.delete(jobId);
  }

  /** Reports that the job is waiting if no program asks for its answers soon. */
  function expectProgram(jobId: string): void {
    const own = programsOf(jobId);
    if (own.count > 0 || !waiting.has(jobId)) {
      leave(jobId);
      return;
    }
    own.absence ??= clock.after(ABSENT_MS, () => {
      const { job } = waiting.get(jobId) ?? {};
      if (job && own.count === 0) waits.report(job, 'rewards', describeAbsence(jobId));
    });
  }

  return {
    async ask(job, request, signal) {
      signal.throwIfAborted();
      const pending: PendingRewards = {
        id: digest(request),
        ...request,
        groups: [...request.groups] as never,
      };
      const answered = new Promise<RewardResponse>(resolve => {
        waiting.set(job.id, { job, pending, resolve });
      });
      for (const wake of programsOf(job.id).wake) wake();
      expectProgram(job.id);
      try {
        return await untilAborted(answered, signal);
      } finally {
        if (waiting.get(job.id)?.pending === pending) waiting.delete(job.id);
        waits.report(job, 'rewards', null);
        leave(job.id);
      }
    },
    async next(jobId, known, signal) {
      const own = programsOf(jobId);
      own.count++;
      own.absence?.stop();
      own.absence = null;
      const isOther = () => {
        const { pending } = waiting.get(jobId) ?? {};
        return pending && pending.id !== known ? pending : null;
      };
      const job = waiting.get(jobId)?.job;
      if (job) waits.report(job, 'rewards', null);
      try {
        return isOther() ?? (await untilWoken(own, clock, signal)) ?? isOther();
      } finally {
        own.count--;
        expectProgram(jobId);
      }
    },
    report(jobId, { id, rewards }) {
      const found = waiting.get(jobId);
      if (found?.pending.id !== id) return false;
      const { groups } = found.pending;
      const fits = groups.every(({ answers }, i) => rewards[i]?.length === answers.length);
      if (!fits || rewards.length !== groups.length)
        throw new ApiError('invalid_value', '`rewards` must have a reward or an error for each answer.', {
          param: 'rewards',
        });
      waiting.delete(jobId);
      found.resolve({ rewards: rewards as RewardResponse['rewards'] });
      return true;
    },
  };
}

/** Null once there may be other answers, or after a while. */
async function untilWoken({ wake }: Programs, clock: Clock, signal: AbortSignal): Promise<null> {
  let timer: Timer | undefined;
  let own = () => {};
  const woken = new Promise<null>(resolve => {
    own = () => resolve(null);
    wake.add(own);
    timer = clock.after(REWARDS_POLL_MS, own);
  });
  try {
    return await untilAborted(woken, signal);
  } finally {
    timer?.stop();
    wake.delete(own);
  }
}

function digest(request: RewardRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 32);
}

const describeAbsence = (jobId: string) =>
  `Waiting for the program that computes its rewards. Start it again with "svc start --attach ${jobId.slice(0, 8)}".`;
