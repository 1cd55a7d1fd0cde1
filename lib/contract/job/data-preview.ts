// A data set as a training would read it: what is wrong with it, how much it is, and its rows token by token.
import * as z from 'zod/mini';
import { orNull, positiveInteger, step } from '../text.js';
import { DATA_EFFORTS, DATA_FINDINGS, DATA_GRADES, TOKEN_KINDS } from '../vocabulary.js';
import { jobConfigInput } from './job.js';

const request = {
  /** Which rows to check: a sample of large data sets, unless all are asked for. `usual` if omitted. */
  effort: z.optional(z.enum(DATA_EFFORTS)),
  /** Only rows with this finding. */
  finding: z.optional(z.enum(DATA_FINDINGS)),
  /** Only the row with this number in its file, as findings name it. */
  row: z.optional(positiveInteger),
  /** Up to 100; 20 if omitted. */
  limit: z.optional(step.check(z.lte(100))),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/))),
  /** Lists the rows token by token. */
  tokens: z.optional(z.boolean()),
  /** Trains a few steps to measure how long the run will take, and how much memory. Takes seconds to minutes. */
  measure: z.optional(z.boolean()),
};

/** `config`: that of the job that would train on the data. */
export const dataPreviewInput = z.strictObject({ config: jobConfigInput, ...request });

export type DataPreviewInput = z.input<typeof dataPreviewInput>;

/** Without a config, it is that of the project's trainer. */
export const studioDataPreviewInput = z.strictObject({
  config: z.optional(jobConfigInput),
  ...request,
  /** Reads the project's trainer and its files again, which may have changed since the last call. */
  reload: z.optional(z.boolean()),
});

export type StudioDataPreviewInput = z.input<typeof studioDataPreviewInput>;

const rowName = z.object({ file: z.string(), number: positiveInteger });

const side = z.object({
  /** All of this side, and how many of them were checked. The other figures are of the checked ones. */
  rows: step,
  checked: step,
  /** Left out because they are too long. */
  skipped: step,
  /** Tokens that the model sees in one epoch, and those of them that it learns. */
  tokens: step,
  learned: step,
});

const finding = z.object({
  name: z.enum(DATA_FINDINGS),
  grade: z.enum(DATA_GRADES),
  /** How many rows have it. */
  rows: positiveInteger,
  /** The first ones. */
  first: z.array(rowName),
});

export type DataFindingReport = z.output<typeof finding>;

const report = z.object({
  /** A short name of the data set. */
  name: z.string(),
  /** What the rows were recognized as, most first. */
  formats: z.array(z.object({ name: z.string(), rows: positiveInteger })),
  rows: step,
  /** Fewer than `rows` if only a sample was checked. */
  checked: step,
  training: side,
  evaluation: orNull(side),
  totalSteps: step,
  /** The most tokens that a row can have. */
  maxLength: positiveInteger,
  /** Of the rows in tokens, before truncation; null if none can be read. */
  lengths: orNull(
    z.object({
      shortest: step,
      median: step,
      longest: step,
      /** Rows with at least `from` and less than `to` tokens. The last one may be wide. */
      bins: z.array(z.object({ from: step, to: positiveInteger, rows: step })),
    }),
  ),
  /** The most serious first. */
  findings: z.array(finding),
});

export type DataReport = z.output<typeof report>;

const token = z.object({
  /** Several if a character takes more than one. */
  ids: z.array(step),
  text: z.string(),
  kind: z.enum(TOKEN_KINDS),
  /** A marker of the model, such as the end of a turn. */
  special: z.boolean(),
});

export type PreviewToken = z.output<typeof token>;

const row = z.object({
  /** Its place among all rows, from 0, and where to find it. */
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
  /** Another row that it repeats, or nearly so, or that answers the same question differently. */
  like: orNull(rowName),
  /** Excerpts. */
  prompt: z.string(),
  answer: z.string(),
  /** Its texts as the model sees them: one, or two for a pair of answers to choose from. Empty unless asked for. */
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
  /** Steps that were trained, and how long a step took. */
  steps: positiveInteger,
  secondsPerStep: z.number(),
  tokensPerSecond: z.number(),
  /** The estimate for the whole run, without evaluations and checkpoints. */
  seconds: z.number(),
  /** The most memory that the trainer used, in bytes. */
  memory: step,
});

export type DataMeasurement = z.output<typeof measurement>;

export const dataPreview = z.object({
  report,
  rows: z.array(row),
  /** How many rows match. */
  total: step,
  nextCursor: orNull(z.string()),
  /** Null unless asked for. */
  measurement: orNull(measurement),
});

export type DataPreview = z.output<typeof dataPreview>;
