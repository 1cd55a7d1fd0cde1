// What a job's page knows after these events and polls.
import { initialJobView, type JobView, metadataRows, reduceJobView } from '../../../lib/console/index.js';
import type { Job } from '../../../lib/contract/index.js';
import { JOB_ID, sampleJob } from '../../support/samples.js';

let seq = 0;

export const frame = (event: string, fields: object = {}) => ({ event, data: JSON.stringify(fields) });

type Frame = ReturnType<typeof frame>;

/** Gives each frame the next number. */
export function play(view: JobView, ...frames: Frame[]): JobView {
  return reduceJobView(view, { type: 'events', parts: frames.map(one => ({ id: String(++seq), ...one })) });
}

export const viewOf = (...frames: Frame[]) => play(initialJobView, ...frames);

export function polled(job: Partial<Job>, view = initialJobView): JobView {
  return reduceJobView(view, { type: 'polled', job: sampleJob(job) });
}

/** The rows of the sidebar by their labels. */
export function facts(view: JobView, now?: number): Record<string, string> {
  return Object.fromEntries(metadataRows(view, JOB_ID, now).map(({ label, value }) => [label, value]));
}
