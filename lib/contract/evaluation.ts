// Evaluations: what a model answered to rows whose answers are known, scored, and optionally compared with what another one
// answered to the same rows. Not the scores that a trainer reports during its run (`job/evals.ts`).
import * as z from 'zod/mini';
import { answeredTarget, target } from './deployment.js';
import {
  boundList,
  orNull,
  pageQuery,
  positiveInteger,
  printable,
  sha256,
  slug,
  step,
  timestamp,
  uuid,
} from './text.js';
import {
  EVALUATION_TASK_KINDS,
  GATE_CHECKS,
  GATE_OUTCOMES,
  GATE_TRIALS,
  MOST_EVALUATION_ROWS,
  SCORE_KINDS,
  VERDICTS,
} from './vocabulary.js';

/** The most labels of a confusion matrix. */
export const MOST_MATRIX_LABELS = 50;
/** The longest stored text of a row; longer ones are cut by the client. */
export const LONGEST_ROW_TEXT = 4000;
const MOST_SCORES = 500;
const MOST_CHECKS = 10;
const LONGEST_SCORE_NAME = 520;

const scoreName = z.string().check(z.minLength(1), z.maxLength(LONGEST_SCORE_NAME));
const label = z.string().check(z.maxLength(500));
const milliseconds = z.number().check(z.gte(0));

const rowText = z.string().check(z.maxLength(LONGEST_ROW_TEXT));

/** The parts of an evaluation. Requests refuse unknown fields; in a response, those of a newer cloud are dropped. */
function partsWith<T extends z.ZodMiniType, C extends z.ZodMiniType>(
  object: typeof z.object,
  answeredBy: T,
  comparedWith: C,
) {
  /** The slug of the endpoint that it was asked as, or that it will be served at; null if it was asked itself. */
  const endpoint = z.nullable(slug);
  const subject = object({
    /** What answered. */
    target: answeredBy,
    endpoint,
  });

  /** One score of all rows, with its 95 % interval. */
  const score = object({
    name: scoreName,
    /** `share`: of rows that have it. `mean`: from 0 to 1. `distance`: lower is better. `reward`: any number, higher is better. */
    kind: z.enum(SCORE_KINDS),
    value: z.number(),
    low: z.number(),
    high: z.number(),
    /** How many rows it is of. */
    rows: step,
  });

  /** A score of two candidates on the same rows. */
  const comparedScore = object({
    score: scoreName,
    kind: z.enum(SCORE_KINDS),
    rows: step,
    value: z.number(),
    againstValue: z.number(),
    /** `value` less `againstValue`. */
    difference: z.number(),
    /** Its 95 % interval, which excludes 0 exactly if the verdict is `better` or `worse`. */
    low: z.number(),
    high: z.number(),
    p: z.number().check(z.gte(0), z.lte(1)),
    verdict: z.enum(VERDICTS),
    /** The smallest difference that this many rows and changes show in 85 % of comparisons. */
    findable: z.number(),
    /** How many rows have a better, a worse and the same score. */
    changed: object({ better: step, worse: step, same: step }),
  });

  /** What the answers took. */
  const cost = object({
    /** Null without any answer. */
    latencyMs: z.nullable(object({ median: milliseconds, p95: milliseconds })),
    promptTokens: step,
    completionTokens: step,
  });

  const gateCheck = object({
    /** `tests`: of the project. `rows`: this evaluation. `general`: questions that have nothing to do with the training. */
    check: z.enum(GATE_CHECKS),
    outcome: z.enum(GATE_OUTCOMES),
    /** Why it was skipped, or what failed. */
    note: z.optional(printable(500)),
    /** The main score of `general`, compared with the base model, and the evaluation that has the rest. */
    compared: z.optional(comparedScore),
    evaluationId: z.optional(uuid),
  });

  const rowAnswer = {
    /** Null if there is none because of an error. */
    answer: z.nullable(rowText),
    /** Why there is no answer, or no reward for it. */
    error: z.optional(rowText),
    scores: z.record(scoreName, z.number()),
    latencyMs: z.optional(milliseconds),
    completionTokens: z.optional(step),
  };

  return {
    fields: {
      subject,
      data: object({
        /** The name of a file or data set. */
        name: printable(300),
        /** SHA-256 of the rows. */
        digest: sha256,
        rows: positiveInteger,
      }),
      task: object({
        /** Null for rows without a task. */
        name: z.nullable(printable(64)),
        kind: z.enum(EVALUATION_TASK_KINDS),
      }),
      /** The main one first. */
      scores: boundList(z.array(score).check(z.minLength(1), z.maxLength(MOST_SCORES)), MOST_SCORES),
      cost,
      /** How many rows have no answer because of an error. */
      failed: step,
    },
    /** A row for each expected label, a column for each answered one; the last column counts all other answers. */
    confusion: object({
      labels: boundList(z.array(label).check(z.maxLength(MOST_MATRIX_LABELS)), MOST_MATRIX_LABELS),
      counts: boundList(
        z.array(z.array(step).check(z.maxLength(MOST_MATRIX_LABELS + 1))),
        MOST_MATRIX_LABELS,
      ),
    }),
    comparison: object({
      against: object({ target: comparedWith, endpoint }),
      /** The main one first. */
      scores: boundList(z.array(comparedScore).check(z.minLength(1), z.maxLength(MOST_SCORES)), MOST_SCORES),
      cost,
    }),
    /** Whether the endpoint of `subject` may serve it. */
    gate: object({
      passed: z.boolean(),
      /** Whether the endpoint may move to it if it follows it: not after a dry run, nor for a canary. */
      movesFollowers: z.boolean(),
      /** What it was decided for, if not for all requests. */
      trial: z.optional(z.enum(GATE_TRIALS)),
      /** The loss that was allowed if it is shown to be smaller; null if only a loss that was found counts. */
      margin: z.nullable(z.number().check(z.gt(0))),
      checks: boundList(z.array(gateCheck).check(z.maxLength(MOST_CHECKS)), MOST_CHECKS),
    }),
    row: object({
      /** Its number in the data, from 1. */
      row: positiveInteger,
      /** What was asked last. */
      input: rowText,
      expected: rowText,
      ...rowAnswer,
      /** What the other candidate of a comparison answered. */
      against: z.optional(object(rowAnswer)),
    }),
  };
}

/** Answers of a file, which a model gave elsewhere. */
const storedAnswers = {
  kind: z.literal('answers'),
  file: printable(300),
  /** What answered; null if the file does not say it. */
  model: z.nullable(printable(300)),
};

const asked = partsWith(
  z.strictObject as unknown as typeof z.object,
  target,
  z.discriminatedUnion('kind', [target, z.strictObject(storedAnswers)]),
);
const answered = partsWith(
  z.object,
  answeredTarget,
  z.discriminatedUnion('kind', [answeredTarget, z.object(storedAnswers)]),
);

export const evaluationInput = z.strictObject({
  ...asked.fields,
  confusion: z.optional(asked.confusion),
  comparison: z.optional(asked.comparison),
  gate: z.optional(asked.gate),
  /** Up to 1,000 rows to keep, in any order. */
  rows: boundList(z.array(asked.row).check(z.maxLength(MOST_EVALUATION_ROWS)), MOST_EVALUATION_ROWS),
});

export type EvaluationInput = z.input<typeof evaluationInput>;

export const evaluation = z.object({
  id: z.string(),
  createdAt: timestamp,
  ...answered.fields,
  /** Null unless the answers are up to 50 labels. */
  confusion: orNull(answered.confusion),
  /** Null if it was compared with nothing. */
  comparison: orNull(answered.comparison),
  /** What `svc ship` decided; null or missing if nobody asked whether to serve it. */
  gate: z.optional(z.nullable(answered.gate)),
  /** How many rows are kept, and how many of them have another answer than what they are compared with. */
  kept: z.object({ rows: step, changed: step }),
});

export type Evaluation = z.output<typeof evaluation>;
export type EvaluationSubject = Evaluation['subject'];
export type EvaluationScore = Evaluation['scores'][number];
export type EvaluationCost = Evaluation['cost'];
type EvaluationComparison = NonNullable<Evaluation['comparison']>;
/** What was asked, or a file that has the answers. */
export type ComparedSubject = EvaluationComparison['against'];
export type ComparedScore = EvaluationComparison['scores'][number];
export type Gate = NonNullable<Evaluation['gate']>;
export type GateCheck = Gate['checks'][number];
export type ConfusionMatrix = NonNullable<Evaluation['confusion']>;

export type EvaluationRow = z.output<typeof answered.row>;

export const evaluationQuery = {
  /** Only those of this job's adapters. */
  jobId: z.optional(uuid),
  /** Only those that were asked as this endpoint's. */
  endpoint: z.optional(slug),
};

export const evaluationRowQuery = {
  /** `true`: only rows with another answer than what they are compared with. */
  changed: z.optional(z.enum(['true'])),
  ...pageQuery,
};

export const evaluationRows = z.object({
  /** Worst first: those that lose most in a comparison, otherwise those with the lowest score. */
  rows: z.array(answered.row),
  nextCursor: orNull(z.string()),
});

/** @internal */
export type EvaluationRows = z.output<typeof evaluationRows>;
