// Lists of jobs: whole or in pages, and the settings of many jobs at once.
import * as z from 'zod/mini';
import { boundList } from './bounded.js';
import { job, jobConfig, jobSummary } from './job.js';
import { MOST_JOB_SETTINGS } from './job-list-page.js';
import { uuid } from './text.js';

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
  jobs: z.array(z.object({ id: uuid, config: jobConfig, customSettings: job.shape.customSettings })),
});

export type JobSettings = z.output<typeof jobSettings>['jobs'][number];
