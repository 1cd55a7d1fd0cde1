// How a program computes the rewards of a job: it asks for the answers that wait for them, and sends what they are worth.
import * as z from 'zod/mini';
import { grader } from '../graders.js';
import { boundList, step } from '../text.js';

export const rewardName = z.string().check(z.minLength(1), z.maxLength(100));
const MOST_PARTS = 20;
const LONGEST_ERROR = 2000;
/** As many prompts, and as many answers to each. */
const MOST_ANSWERS = 10_000;

/** In a job's config: rewards come from the program that started it. */
export const functionReward = z.strictObject({ type: z.literal('function') });

/** Whether a job stops at its next step when the program that started it is gone. */
export function needsProgram(job: { config: { method?: unknown } | null }): boolean {
  const method = job.config?.method as { reward?: { type?: string } } | undefined;
  return method?.reward?.type === 'function';
}

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const answer = z.object({ text: z.string(), toolCalls: z.exactOptional(z.array(toolCall)) });

const group = z.object({
  row: step,
  item: z.record(z.string(), z.unknown()),
  messages: z.array(z.looseObject({ role: z.string() })),
  answers: z.array(answer),
});

/** The answers of a step. Equal answers have the same ID, also after a restart. */
export const pendingRewards = z.object({ id: z.string(), step, groups: z.array(group) });

export type PendingRewards = z.output<typeof pendingRewards>;

const rewarded = z.union([
  z.strictObject({
    reward: z.number(),
    parts: z.exactOptional(
      z.record(rewardName, z.number()).check(
        z.refine(given => Object.keys(given).length <= MOST_PARTS, {
          error: `must have at most ${MOST_PARTS} parts`,
        }),
      ),
    ),
  }),
  z.strictObject({ error: z.string().check(z.maxLength(LONGEST_ERROR)) }),
]);

/** More answers without a reward than this share are an error. */
const MOST_FAILED = 0.2;

/** What to say if too many answers got no reward; null if there are enough. */
export function findFailedRewards(rewards: readonly z.output<typeof rewarded>[]): string | null {
  const failed = rewards.flatMap(one => ('error' in one ? [one.error] : []));
  if (failed.length <= MOST_FAILED * rewards.length) return null;
  return `${failed.length} of ${rewards.length} answers got no reward. The first: ${failed[0]}`;
}

export const rewardReport = z.strictObject({
  /** Of the answers. */
  id: rewardName,
  /** For each answer of each group, in their order. */
  rewards: boundList(z.array(boundList(z.array(rewarded), MOST_ANSWERS)), MOST_ANSWERS),
});

export type RewardReport = z.input<typeof rewardReport>;

export const MOST_GRADED = 100;

/** Answers that a grader is to reward, outside of a run. */
export const gradingInput = z.strictObject({
  grader,
  answers: boundList(
    z
      .array(
        z.strictObject({
          /** The row that it answers. */
          item: z.record(z.string(), z.unknown()),
          text: z.string(),
          toolCalls: z.exactOptional(z.array(toolCall)),
        }),
      )
      .check(z.maxLength(MOST_GRADED)),
    MOST_GRADED,
  ),
});

/** For each answer, in their order. */
export const grades = z.object({ rewards: z.array(rewarded) });

/** From a worker elsewhere, which knows the rows by their places alone. With PyTorch, answers are tokens. */
export const rewardQuestion = z.strictObject({
  step,
  part: z.exactOptional(step),
  groups: boundList(
    z.array(
      z.strictObject({
        row: step,
        answers: boundList(z.array(z.union([z.strictObject({ ids: z.array(step) }), answer])), MOST_ANSWERS),
      }),
    ),
    MOST_ANSWERS,
  ),
});

/** Null: not yet; ask again. `problem`: why there can be none. */
export const rewardOutcome = z.union([
  z.object({ rewards: z.nullable(z.array(z.array(rewarded))) }),
  z.object({ problem: z.string() }),
]);

export type RewardOutcome = z.output<typeof rewardOutcome>;

/** The longest time until `awaitRewards` answers. */
export const REWARDS_POLL_MS = 20_000;
