// What a job's events say so far, as Studio shows it.
import type { CloudClient, EventFrame } from '../../../lib/client/index.js';
import { initialJobView, type JobView, reduceJobView } from '../../../lib/console/index.js';
import type { Job } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { readEventLog } from '../training/event-log.js';

export async function readView(
  found: { cloud: CloudClient; id: string; session: Session },
  job: Job,
): Promise<JobView> {
  const frames: EventFrame[] = [];
  if (job.startedAt !== null)
    for await (const frame of readEventLog(found, { follow: false })) frames.push(frame);
  const polled = reduceJobView(initialJobView, { type: 'polled', job });
  return reduceJobView(polled, { type: 'frames', frames });
}
