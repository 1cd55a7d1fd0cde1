// A run that another provider has finished: what it was and what it measured, without an adapter, which stays there.
import * as z from 'zod/mini';
import { boundList, printable, step, textLike, timestamp } from '../text.js';
import { labelFields } from './job.js';

/** More steps than a chart can show; importers thin out longer runs. */
export const MOST_IMPORTED_STEPS = 20_000;
const MOST_SETTINGS = 50;
const LONGEST_ERROR = 10_000;
/** The end of the year 9999. Later times have no form that `timestamp` allows. */
const LATEST_MS = 253_402_300_799_999;

/** A column has a value, or null, for each entry of `step`. */
function column<S extends z.ZodMiniType>(value: S) {
  return boundList(z.array(value).check(z.maxLength(MOST_IMPORTED_STEPS)), MOST_IMPORTED_STEPS);
}

const measured = () => z.optional(column(z.nullable(z.number())));

const columns = {
  /** Ascending. */
  step: column(step),
  /** When it was taken, in milliseconds since 1970. Default: when the run ended. */
  time: z.optional(column(z.nullable(z.int().check(z.gte(0), z.lte(LATEST_MS))))),
  loss: measured(),
  evalLoss: measured(),
  learningRate: measured(),
  epoch: measured(),
  rewardMargin: measured(),
  rewardAccuracy: measured(),
  evalRewardMargin: measured(),
  evalRewardAccuracy: measured(),
};

const importedSteps = z.strictObject(columns).check(
  z.refine(given => Object.values(given).every(list => !list || list.length === given.step.length), {
    error: 'must have as many values in each list as in `step`',
  }),
  z.refine(given => given.step.every((value, index) => index === 0 || value > given.step[index - 1]!), {
    path: ['step'],
    error: 'must be ascending',
  }),
);

export type ImportedSteps = z.output<typeof importedSteps>;

/** Each but `step` and `time`, which every step has. */
export type ImportedMeasure = Exclude<keyof ImportedSteps, 'step' | 'time'>;

export const IMPORTED_MEASURES = Object.keys(columns).filter(
  (name): name is ImportedMeasure => name !== 'step' && name !== 'time',
);

const settingName = textLike(
  /^[A-Za-z][A-Za-z0-9_.]{0,99}$/,
  'a name of up to 100 letters, digits, `_` and `.` that starts with a letter',
);

export const jobImport = z.strictObject({
  ...labelFields,
  /** A project has one job for each provider and ID: the same one is returned if it is imported again. */
  origin: z.strictObject({
    provider: printable(40),
    /** The job's ID there. */
    id: printable(200),
    /** The model that was trained. */
    model: printable(200),
    fineTunedModel: z.optional(printable(300)),
  }),
  status: z.enum(['completed', 'failed', 'cancelled']),
  error: z.optional(textLike(/^[^\0]*$/, 'text without NUL').check(z.maxLength(LONGEST_ERROR))),
  createdAt: timestamp,
  startedAt: z.optional(timestamp),
  completedAt: timestamp,
  /** The run's settings: those that svc knows by its own names. */
  settings: z.optional(
    z
      .record(settingName, z.union([z.number(), z.boolean(), z.string().check(z.maxLength(500))]))
      .check(z.refine(all => Object.keys(all).length <= MOST_SETTINGS, `must have at most ${MOST_SETTINGS}`)),
  ),
  steps: z.optional(importedSteps),
});

/** @internal */
export type JobImport = z.input<typeof jobImport>;
