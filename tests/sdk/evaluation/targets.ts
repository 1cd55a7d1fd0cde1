// What is evaluated.
import type { Job } from '../../../lib/contract/index.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { sampleJob } from '../../support/samples.js';

const targetOf = <Target>(target: Target) => ({ subject: { target, endpoint: null }, task: null });

export const base = targetOf({ kind: 'base_model', baseModel: 'svc/tiny' } as const);

/** The adapter of a job of this cloud that was trained with these settings. */
export function trainedBy({ jobs }: FakeCloud, config: object = {}) {
  const job = sampleJob({ config: config as Job['config'] });
  jobs.push({ job, events: [], archives: {} });
  return targetOf({ kind: 'adapter', adapter: { kind: 'final', jobId: job.id } } as const);
}
