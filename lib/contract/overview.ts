// What goes on in a project: the runs under way, the last results, and how much its endpoints are asked.
import * as z from 'zod/mini';
import { jobSummary } from './job.js';
import { step, uuid } from './text.js';

const count = step;

export const overview = z.object({
  /** Running and queued, those that run first; at most five. */
  running: z.array(jobSummary),
  /** The last that ended, the latest first; at most five. */
  recent: z.array(jobSummary),
  endpoints: z.array(
    z.object({
      id: uuid,
      slug: z.string(),
      enabled: z.boolean(),
      /** Of the last hour, since the cloud started. */
      requests: count,
      /** Of those, the ones that were not answered. */
      failed: count,
    }),
  ),
});

export type Overview = z.output<typeof overview>;
