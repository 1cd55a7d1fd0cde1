// A data set as training would read it: its problems, its size, and its rows token by token.
import * as z from 'zod/mini';
import { orNull, pageCursor, positiveInteger, step } from '../text.js';
import { DATA_EFFORTS, DATA_FINDINGS, DATA_GRADES, TOKEN_KINDS } from '../vocabulary.js';
import { jobConfigInput } from './job.js';

const request = {
  /** The rows to check: a sample of large data sets, or all. Default: `usual`. */
  effort: z.optional(z.enum(DATA_EFFORTS)),
  /** Only rows with this finding. */
  finding: z.optional(z.enum(DATA_FINDINGS)),
  /** Only the row with this number in its file, as findings name it. */
  row: z.optional(positiveInteger),
  /** Up to 100; 20 if omitted. */
  limit: z.optional(step.check(z.lte(100))),
  /** The previous page's `nextCursor`, or 0 to see the first page again. Without it, a URL is fetched again. */
  cursor: pageCursor,
  /** Includes the tokens of rows. */
  tokens: z.optional(z.boolean()),
  /** Trains a few steps to measure how much time and memory the run will need. Takes seconds to minutes. */
  measure: z.optional(z.boolean()),
};

/** `config`: that of the job that would train on the data. */
export const dataPreviewInput = z.strictObject({ config: jobConfigInput, ...request });

export type DataPreviewInput = z.input<typeof dataPreviewInput>;

/** Defaults to the config of the project's trainer. */
export const studioDataPreviewInput = z.strictObject({
  config: z.optional(jobConfigInput),
  ...request,
  /** Reloads the project's trainer and its files or URL, which may have changed since the last call. */
  reload: z.optional(z.boolean()),
});

export type StudioDataPreviewInput = z.input<typeof studioDataPreviewInput>;

const rowName = z.object({ file: z.string(), number: positiveInteger });

const side = z.object({
  /** All rows of this split, and how many of them were checked. The other figures cover the checked ones. */
  rows: step,
  checked: step,
  /** Rows left out because they are too long. */
  skipped: step,
  /** Tokens per epoch that the model sees, and those that it learns. */
  tokens: step,
  learned: step,
});

const finding = z.object({
  name: z.enum(DATA_FINDINGS),
  grade: z.enum(DATA_GRADES),
  /** How many rows have this finding. */
  rows: positiveInteger,
  /** The first ones. */
  first: z.array(rowName),
  /** Why the first one cannot be read. */
  reason: z.exactOptional(z.string()),
});

export type DataFindingReport = z.output<typeof finding>;

const report = z.object({
  /** A short name of the data set. */
  name: z.string(),
  /** The formats that rows were recognized as, most frequent first. */
  formats: z.array(z.object({ name: z.string(), rows: positiveInteger })),
  rows: step,
  /** Fewer than `rows` if only a sample was checked. */
  checked: step,
  training: side,
  evaluation: orNull(side),
  totalSteps: step,
  /** The maximum number of tokens per row. */
  maxLength: positiveInteger,
  /** Row lengths in tokens, before truncation; null if no row can be read. */
  lengths: orNull(
    z.object({
      shortest: step,
      median: step,
      longest: step,
      /** Rows with at least `from` and less than `to` tokens. The last bin may be wide. */
      bins: z.array(z.object({ from: step, to: positiveInteger, rows: step })),
    }),
  ),
  /** Most serious first. */
  findings: z.array(finding),
});

export type DataReport = z.output<typeof report>;

const token = z.object({
  /** Several if a character takes more than one token. */
  ids: z.array(step),
  text: z.string(),
  kind: z.enum(TOKEN_KINDS),
  /** A special token, such as the end of a turn. */
  special: z.boolean(),
});

export type PreviewToken = z.output<typeof token>;

const row = z.object({
  /** Its index among all rows, from 0, and its location. */
  row: step,
  file: z.string(),
  number: positiveInteger,
  side: z.enum(['training', 'evaluation']),
  /** In tokens, before truncation; 0 for a row that cannot be trained on. */
  length: step,
  /** Tokens that the model sees, and those of them that it learns. */
  seen: step,
  learned: step,
  findings: z.array(z.enum(DATA_FINDINGS)),
  /** Why training refuses it; null for a row that it reads. */
  refusal: orNull(z.string()),
  /** A duplicate or near-duplicate, or a row that answers the same question differently. */
  like: orNull(rowName),
  /** Excerpts. */
  prompt: z.string(),
  answer: z.string(),
  /** Its texts as the model sees them: one, or two for a preference pair. Empty unless requested. */
  views: z.array(
    z.object({
      label: orNull(z.string()),
      tokens: z.array(token),
      /** How many more tokens there are. */
      omitted: step,
    }),
  ),
});

export type PreviewRow = z.output<typeof row>;

const measurement = z.object({
  /** How many steps were trained, and how long each took. */
  steps: positiveInteger,
  secondsPerStep: z.number(),
  tokensPerSecond: z.number(),
  /** The estimate for the whole run, without evaluations and checkpoints. */
  seconds: z.number(),
  /** The trainer's peak memory, in bytes. */
  memory: step,
});

export type DataMeasurement = z.output<typeof measurement>;

export const dataPreview = z.object({
  report,
  rows: z.array(row),
  /** How many rows match. */
  total: step,
  nextCursor: orNull(z.string()),
  /** Null unless requested. */
  measurement: orNull(measurement),
});

export type DataPreview = z.output<typeof dataPreview>;
