// Does work that needs the store or the disk, and retries it with back-off while they fail. Such failures never end a
// job: it waits and says so.
import { doubled } from '../../system/index.js';
import { toStorageFault } from '../store/storage-fault.js';
import type { JobContext } from './job-context.js';
import type { Waiter } from './job-waits.js';

const WAITS = { firstMs: 100, longestMs: 5000 };

/** How long to wait before the next try. */
export function retryMs(tries: number): number {
  return doubled(tries, WAITS);
}

interface Persistence {
  job: { id: string; project_id: string };
  waiter: Waiter;
  /** Stops retrying and throws the last failure. */
  signal: AbortSignal;
}

export async function persist<T>(
  { waits, deps, clock }: Pick<JobContext, 'waits' | 'deps' | 'clock'>,
  { job, waiter, signal }: Persistence,
  act: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      const result = await act();
      waits.report(job, waiter, null);
      return result;
    } catch (error) {
      const fault = toStorageFault(error);
      if (fault === null || signal.aborted) throw error;
      waits.report(job, waiter, fault.problem);
      if (tries === 0) deps.log({ message: `Job ${job.id} is waiting.`, error: fault.cause });
    }
    await clock.sleep(retryMs(tries), signal).catch(() => {});
  }
}
