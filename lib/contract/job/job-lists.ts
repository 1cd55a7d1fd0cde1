// Lists of jobs: whole or in pages, the settings of many jobs at once, and a project's overview.
import * as z from 'zod/mini';
import { MOST_JOB_SETTINGS } from '../list-queries.js';
import { boundList, step, uuid } from '../text.js';
import { customSettings, jobConfig, jobSummary } from './job.js';

export const jobListQuery = {
  /** Up to 500 jobs a page. All jobs if omitted. */
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/))),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
};

export const jobList = z.object({
  jobs: z.array(jobSummary),
  /** Of a page: null on the last one. */
  nextCursor: z.optional(z.nullable(z.string())),
});

/** What a caller gets that has an earlier version of the list and sends `A-IM: jobs`. */
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

/** What goes on in a project: the runs under way, the last results, and how much its endpoints are asked. */
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
      requests: step,
      /** Of those, the ones that were not answered. */
      failed: step,
    }),
  ),
});

export type Overview = z.output<typeof overview>;
