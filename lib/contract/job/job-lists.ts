// Lists of jobs: whole or in pages, the settings of many jobs at once, and a project's overview.
import * as z from 'zod/mini';
import { MOST_JOB_SETTINGS } from '../list-queries.js';
import { boundList, pageCursor, step, textLike, timestamp, uuid } from '../text.js';
import { customSettings, jobConfig, jobSummary } from './job.js';

export const jobListQuery = {
  /** Up to 500 jobs a page. All jobs if omitted. */
  limit: z.optional(textLike(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, 'a whole number from 1 to 500')),
  cursor: pageCursor,
};

export const jobList = z.object({
  jobs: z.array(jobSummary),
  /** Null on the last page. */
  nextCursor: z.optional(z.nullable(z.string())),
});

/** The response for callers that have an earlier version of the list and send `A-IM: jobs`. */
export const jobListChanges = z.object({
  added: z.array(jobSummary),
  changed: z.array(jobSummary),
  removed: z.array(uuid),
});

export const jobSettingsInput = z.strictObject({
  ids: boundList(z.array(uuid).check(z.maxLength(MOST_JOB_SETTINGS)), MOST_JOB_SETTINGS),
});

export const jobSettings = z.object({
  jobs: z.array(z.object({ id: uuid, config: jobConfig, customSettings })),
});

export type JobSettings = z.output<typeof jobSettings>['jobs'][number];

/** A project's recent activity: active runs, latest results, and requests to its endpoints. */
export const overview = z.object({
  /** Running and queued jobs, in running order; at most five. */
  running: z.array(jobSummary),
  /** The most recently ended jobs, latest first; at most five. */
  recent: z.array(jobSummary),
  endpoints: z.array(
    z.object({
      id: uuid,
      slug: z.string(),
      enabled: z.boolean(),
      /** In the last hour, at most since the cloud started. */
      requests: step,
      /** How many of them failed. */
      failed: step,
    }),
  ),
  /** When the cloud started to count requests, if that is less than an hour ago. */
  countedSince: z.optional(timestamp),
});

export type Overview = z.output<typeof overview>;
