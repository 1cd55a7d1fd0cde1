// Responses specific to Studio: the project's trainer, and the run started from Studio.
import * as z from 'zod/mini';
import { positiveInteger, timestamp } from './text.js';

/** A summary of the project's trainer; null if the build registered none. */
export const manifest = z.object({
  trainer: z.nullable(
    z.object({
      name: z.string(),
      model: z.string(),
      maxSteps: z.optional(positiveInteger),
      /** What it trains on: the name of a file or data set, if it has one. */
      data: z.optional(
        z.object({
          name: z.optional(z.string()),
          rows: z.optional(z.int()),
          bytes: z.optional(z.int()),
        }),
      ),
    }),
  ),
});

export type Manifest = z.output<typeof manifest>;

export const trainStatus = z.object({
  running: z.boolean(),
  startedAt: z.nullable(timestamp),
  jobId: z.nullable(z.string()),
  exitCode: z.nullable(z.int()),
});

export type TrainStatus = z.output<typeof trainStatus>;
