// What a job's events say so far, as Studio shows it.
import type { CloudClient, EventFrame } from '../../../lib/client/index.js';
import { initialJobView, type JobView, reduceJobView } from '../../../lib/console/index.js';
import type { Job } from '../../../lib/contract/index.js';
import { readEventsSoFar } from '../training/event-log.js';

export async function readView(cloud: CloudClient, job: Job): Promise<JobView> {
  const frames: EventFrame[] = [];
  if (job.startedAt !== null) for await (const frame of readEventsSoFar(cloud, job)) frames.push(frame);
  const polled = reduceJobView(initialJobView, { type: 'polled', job });
  return reduceJobView(polled, { type: 'frames', frames });
}
