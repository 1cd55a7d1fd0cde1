// What is kept of the answers that a run learned from: of some steps, the best and the worst answer to some prompts.
import * as z from 'zod/mini';
import { orNull, positiveInteger, step, textLike } from '../text.js';

/** Longer texts are cut when they are kept. */
export const LONGEST_KEPT_ANSWER = 4000;
export const LONGEST_KEPT_PROMPT = 1000;
/** Prompts of a step, those whose answers differ most. */
export const MOST_KEPT_GROUPS = 8;
/** Calls of an answer. */
export const MOST_KEPT_CALLS = 10;

export const jobAnswersQuery = {
  /** The last kept step at or before this one, or else the first one. Default: the last one. */
  step: z.optional(textLike(/^\d{1,10}$/, 'a whole number')),
};

const answer = z.object({
  text: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
  /** How many characters the text and its calls had, if they were cut. */
  cutFrom: orNull(positiveInteger),
  reward: z.number(),
  /** What the reward was computed from, by name. */
  parts: z.record(z.string(), z.number()),
});

export type StepAnswer = z.output<typeof answer>;

const group = z.object({
  /** The place of the prompt among the rows of the data set, from 0. */
  row: step,
  /** Its last message. */
  prompt: z.string(),
  /** How many answers there were, and how many of them got no reward. */
  answers: positiveInteger,
  failed: step,
  /** Why, of the first of them. */
  error: orNull(z.string()),
  /** Of the rewards; null if there are none. */
  mean: orNull(z.number()),
  best: orNull(answer),
  /** Null if no answer got less than the best. */
  worst: orNull(answer),
});

export type StepGroup = z.output<typeof group>;

/** What is kept of a step. */
const stepAnswers = z.object({
  /** Those whose rewards differ most first. */
  groups: z.array(group),
  /** How many the step had, and in how many all answers got the same reward. */
  total: step,
  quiet: step,
});

export type StepAnswers = z.output<typeof stepAnswers>;

export const jobAnswers = z.object({
  /** The steps whose answers are kept. */
  steps: z.array(positiveInteger),
  /** The next one; null after the last. */
  step: orNull(positiveInteger),
  ...stepAnswers.shape,
});

export type JobAnswers = z.output<typeof jobAnswers>;
