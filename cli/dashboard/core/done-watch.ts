// Tells when a run ends, whichever view is open.
import { DONE_POLL_MS, doneText, endedJobs } from '../../../lib/console/index.js';
import type { JobSummary } from '../../../lib/contract/index.js';
import type { Context } from './context.js';
import { createPoll, type Poll } from './poll.js';

export function createDoneWatch(
  { client, reach, clock, signal, notify }: Context,
  ring: (text: string) => void,
): Poll {
  let before: readonly JobSummary[] = [];
  return createPoll(
    clock,
    async () => {
      const answer = await reach(client.listJobs({ signal })).catch(() => null);
      if (!answer) return;
      for (const job of endedJobs(before, answer.jobs)) {
        const text = doneText(job);
        ring(text);
        notify(text, job.status === 'failed' ? 'failed' : 'completed');
      }
      before = answer.jobs;
    },
    DONE_POLL_MS,
  );
}
