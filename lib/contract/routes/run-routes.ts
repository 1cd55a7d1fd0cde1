// Routes between a cloud and remote machines: those that train its runs, and those that serve its models. Each attempt at a
// job has two tokens: the claim token, which can only claim it, and the run token, which a claim returns and the next claim
// revokes.
import * as z from 'zod/mini';
import { rewardOutcome, rewardQuestion } from '../job/reward-requests.js';
import type { RunDocument } from '../job/run.js';
import { defineRoutes, json } from '../route.js';
import { positiveInteger, printable, sha256, step, timestamp } from '../text.js';

/** Carries the SHA-256 of a body, in hex. */
export const DIGEST_HEADER = 'x-svc-sha256';

const claimInput = z.strictObject({
  /** The name that the machine reports. */
  worker: printable(200),
  pid: positiveInteger,
  /** Program versions, by name. */
  versions: z.record(z.string(), z.string()),
  gpus: step,
});

export type ClaimInput = z.output<typeof claimInput>;

const file = z.object({ bytes: step, sha256 });

const fileList = z.array(z.object({ name: z.string(), ...file.shape }));

export type RunFileFacts = z.output<typeof file>;

const orders = {
  /** A lease that is not renewed by a report ends after this long. */
  leaseSeconds: z.number(),
  /** The maximum time between reports. */
  reportSeconds: z.number(),
};

const claim = z.object({
  token: z.string(),
  run: z.custom<RunDocument>(),
  ...orders,
  model: z.object({ files: fileList }),
  /** Token files, and their statistics. */
  rows: z.looseObject({ training: file, evaluation: z.nullable(file) }),
  initial: file,
  resume: z.nullable(z.object({ step, ...file.shape })),
});

export type Claim = z.output<typeof claim>;

/** The job's ID is in the path, and its events are checked one by one. */
const reportedEvent = z.looseObject({ type: z.string(), timestamp });

const RUN_OUTCOMES = ['completed', 'failed', 'cancelled', 'paused', 'interrupted'] as const;

const report = z.strictObject({
  /** The number of the first event, counted from 0 since the claim. */
  from: step,
  events: z.array(reportedEvent).check(z.maxLength(200)),
  heldUp: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
  ended: z.optional(
    z.strictObject({
      status: z.enum(RUN_OUTCOMES),
      exitCode: z.optional(z.int()),
      diskFault: z.optional(z.string().check(z.maxLength(40))),
    }),
  ),
});

export type RunReport = z.output<typeof report>;

/** The cloud's instruction to a run. */
const ORDERS = ['go', 'pause', 'cancel'] as const;

export type RunOrder = (typeof ORDERS)[number];

const reported = z.object({
  /** The number of the first event that the cloud has not recorded. */
  next: step,
  want: z.enum(ORDERS),
  ...orders,
});

export type ReportResponse = z.output<typeof reported>;

const bytes = { kind: 'bytes', mediaType: 'application/octet-stream' } as const;

export const runRoutes = defineRoutes({
  claimRun: {
    method: 'POST',
    path: '/v1/runs/:jobId/:attempt/claim',
    summary: 'Takes an attempt at a job. Ends the claim before it.',
    body: claimInput,
    response: json(claim),
  },
  reportRun: {
    method: 'POST',
    path: '/v1/runs/:jobId/:attempt/report',
    summary: 'Reports events and renews the lease; the answer says what is wanted.',
    body: report,
    response: json(reported),
  },
  scoreRun: {
    method: 'POST',
    path: '/v1/runs/:jobId/:attempt/score',
    summary:
      "Asks for the rewards of a step's answers. Without one after a while, answers null: the same question may be asked again.",
    body: rewardQuestion,
    response: json(rewardOutcome),
  },
  readRunModel: {
    method: 'GET',
    path: '/v1/runs/:jobId/:attempt/model/:name',
    summary: 'A file of the base model.',
    response: bytes,
  },
  readRunRows: {
    method: 'GET',
    path: '/v1/runs/:jobId/:attempt/rows/:role',
    summary: 'The rows as tokens: `training` or `evaluation`.',
    response: bytes,
  },
  readRunInitial: {
    method: 'GET',
    path: '/v1/runs/:jobId/:attempt/initial',
    summary: 'The adapter of step 0.',
    response: bytes,
  },
  readRunCheckpoint: {
    method: 'GET',
    path: '/v1/runs/:jobId/:attempt/checkpoint',
    summary: 'The last recorded checkpoint, as a tar archive.',
    response: bytes,
  },
  saveRunFolder: {
    method: 'POST',
    path: '/v1/runs/:jobId/:attempt/folders/:name',
    summary: 'A checkpoint or the final adapter as a tar archive, before the event that names it.',
    body: 'bytes',
    response: json(z.object({})),
  },
});

const files = z.object({ files: fileList });

/**
 * Files that remote machines need to serve a cloud's models: the base model and the adapters, each with a ticket that grants
 * access to nothing else.
 */
export const servingRoutes = defineRoutes({
  listServedModel: {
    method: 'GET',
    path: '/v1/serving/model',
    summary: 'The files of the base model.',
    response: json(files),
  },
  readServedModel: {
    method: 'GET',
    path: '/v1/serving/model/:name',
    summary: 'A file of the base model.',
    response: bytes,
  },
  listServedAdapter: {
    method: 'GET',
    path: '/v1/serving/adapters/:sha256',
    summary: 'The files of an adapter, by its digest.',
    response: json(files),
  },
  readServedAdapter: {
    method: 'GET',
    path: '/v1/serving/adapters/:sha256/:name',
    summary: 'A file of an adapter.',
    response: bytes,
  },
});
