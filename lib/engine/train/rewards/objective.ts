// Learning from rewards (GRPO): each step samples answers, has them rewarded, and makes those likelier that were better than
// the others of their group.
import { type Clock, realClock } from '../../../clock/index.js';
import {
  findFailedRewards,
  type Rewarded,
  type RewardGroup,
  type RewardRequest,
  type RewardResponse,
} from '../../../contract/index.js';
import type { SampledAnswer } from '../../generate/index.js';
import type { PolicyShape } from '../../model/index.js';
import type { Metrics, Objective, StepControl, StepObjective } from '../objective.js';
import { countLabels, type Example, packExamples, toPass } from '../packing.js';
import type { ReferenceModel } from '../preferences.js';
import {
  type Answer,
  countClipped,
  divergenceOf,
  logProbabilities,
  teaches,
  toPolicyPass,
} from './policy-pass.js';
import type { RewardedRow, Rollout } from './rollouts.js';

/** Asks for the rewards of a step's answers, and waits for them. */
export type Score = (request: RewardRequest, signal: AbortSignal | undefined) => Promise<RewardResponse>;

interface RewardParts {
  shape: PolicyShape;
  /** How often a step learns from its answers. */
  updates: number;
  /** What the run begins with. */
  reference: ReferenceModel;
  /** The data set's row of a prompt. */
  rowOf(prompt: Example): RewardedRow;
  sample(prompts: readonly { prompt: Example; row: RewardedRow }[], step: StepControl): Promise<Rollout[]>;
  score: Score;
  close(): Promise<void>;
  clock?: Clock;
}

export function createRewardObjective(parts: RewardParts): Objective {
  const { shape, updates, reference, clock = realClock } = parts;
  return {
    async prepare(prompts, step) {
      const { signal } = step;
      const rows = prompts.map(prompt => ({ prompt, row: parts.rowOf(prompt) }));
      const beganAt = clock.elapsed();
      const rollouts = await parts.sample(rows, step);
      const sampledAt = clock.elapsed();
      const request = { step: step.step, groups: rollouts.map(toGroup) };
      const rewards = checkRewards(await parts.score(request, signal), rollouts);
      const seconds = {
        rolloutSeconds: (sampledAt - beganAt) / 1000,
        rewardSeconds: (clock.elapsed() - sampledAt) / 1000,
      };
      const groups = rollouts.map((rollout, i) => ({ rollout, ...weigh(rollout, rewards[i]!) }));
      const all = groups.flatMap(({ answers }) => answers);
      const learned = all.filter(answer => teaches(answer, shape));
      if (shape.beta > 0) await addReference(reference, learned, signal);
      const measured = measureRewards(groups);
      return {
        ...policyStep(learned, { shape, updates, labels: sumOf(all, countLabels), measured }),
        seconds,
      };
    },
    async close() {
      await reference.close();
      await parts.close();
    },
  };
}

interface PolicyStep {
  shape: PolicyShape;
  updates: number;
  /** Of all answers of the step, also of those that teach nothing. */
  labels: number;
  measured: Metrics;
}

/** Each update learns the same answers. @internal */
export function policyStep(
  learned: readonly Answer[],
  { shape, updates, labels, measured }: PolicyStep,
): StepObjective {
  const seen = Math.max(1, updates * labels);
  let [divergence, clipped] = [0, 0];
  return {
    examples: learned,
    toPass: (lines: readonly (readonly Example[])[]) => toPolicyPass(lines, labels),
    read(lines: readonly (readonly Example[])[], labelLosses: Float32Array) {
      for (const [text, values] of logProbabilities(lines, labelLosses)) {
        const answer = text as Answer;
        clipped += countClipped(values, answer, shape);
        answer.before ??= values;
        if (answer.reference) divergence += divergenceOf(values, answer.reference);
      }
      return [];
    },
    metrics: () => ({
      ...measured,
      kl: divergence / seen,
      ...(updates > 1 && { clippedTokens: clipped / seen }),
    }),
  };
}

export function toGroup({ prompt, row: { item, messages }, answers }: Rollout): RewardGroup {
  return { row: prompt.row ?? 0, item, messages, answers: answers.map(toRewarded) };
}

function toRewarded({ text, calls }: SampledAnswer): RewardGroup['answers'][number] {
  if (calls.length === 0) return { text };
  const toolCalls = calls.map((call, i) => ({ id: `call_${i}`, type: 'function' as const, function: call }));
  return { text, toolCalls };
}

/** Throws if there are not as many as answers, or if too many failed. */
export function checkRewards({ rewards }: RewardResponse, rollouts: readonly Rollout[]): Rewarded[][] {
  const fits = rollouts.every(({ answers }, i) => rewards[i]?.length === answers.length);
  if (!fits || rewards.length !== rollouts.length)
    throw new Error('There are not as many rewards as answers.');
  const problem = findFailedRewards(rewards.flat());
  if (problem !== null) throw new Error(problem);
  return rewards;
}

interface Group {
  rollout: Rollout;
  rewards: Rewarded[];
  answers: Answer[];
  /** The deviation of its rewards. */
  spread: number;
}

function weigh({ prompt, answers }: Rollout, rewards: Rewarded[]): Omit<Group, 'rollout'> {
  const { values, spread } = advantagesOf(rewards.map(one => ('error' in one ? null : one.reward)));
  return {
    rewards,
    spread,
    answers: answers.map(({ ids }, i) => toAnswer(prompt, ids, values[i]!)),
  };
}

/** @internal */
export function toAnswer(prompt: Example, ids: readonly number[], advantage: number): Answer {
  const supervised = new Uint8Array(prompt.ids.length + ids.length).fill(1, prompt.ids.length);
  return {
    ids: Int32Array.from([...Array.from(prompt.ids), ...ids]),
    supervised,
    advantage,
    reference: null,
    before: null,
  };
}

/** What the reference says of each answer. @internal */
export async function addReference(
  { open, adapter }: ReferenceModel,
  answers: readonly Answer[],
  signal?: AbortSignal,
): Promise<void> {
  const runner = await open();
  for (const lines of packExamples(answers, runner)) {
    signal?.throwIfAborted();
    await runner.run(toPass(lines, 0), adapter, losses => {
      for (const [answer, values] of logProbabilities(lines, losses)) (answer as Answer).reference = values;
    });
  }
}

function measureRewards(groups: readonly Group[]): Metrics {
  const all = groups.flatMap(({ rewards }) => rewards);
  const known = all.flatMap(one => ('error' in one ? [] : [one]));
  const answers = groups.flatMap(({ rollout }) => rollout.answers);
  return {
    reward: meanOf(known.map(({ reward }) => reward)),
    rewardSpread: meanOf(groups.map(({ spread }) => spread)),
    answerTokens: meanOf(answers.map(({ ids }) => ids.length)),
    cutAnswers: meanOf(answers.map(({ isCut }) => Number(isCut))),
    quietGroups: meanOf(groups.map(({ spread }) => Number(spread === 0))),
    failedRewards: meanOf(all.map(one => Number('error' in one))),
    ...meanParts(known),
  };
}

/** Of each part, over the answers that have it. */
export function meanParts(known: readonly { parts?: Record<string, number> }[]): Metrics {
  const byName = new Map<string, number[]>();
  for (const { parts = {} } of known)
    for (const [name, value] of Object.entries(parts)) byName.set(name, [...(byName.get(name) ?? []), value]);
  return Object.fromEntries([...byName].map(([name, values]) => [`${REWARD_PART}${name}`, meanOf(values)]));
}

/** Before the names of parts, among what is measured. */
const REWARD_PART = 'reward.';

function sumOf<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0);
}

/** Null for an answer without a reward, which takes no part in its group. */
type Reward = number | null;

/** Added to the deviation of rewards, as TRL does. */
const LEAST_DEVIATION = 1e-4;

/** Rewards that differ by less are the same. */
const LEAST_SPREAD = 1e-8;

interface Advantages {
  /** In deviations of the group from its mean. All are 0 if its rewards are the same. */
  values: number[];
  /** The deviation of the rewards; 0 if there is nothing to learn from the group. */
  spread: number;
}

/**
 * How much better each answer of a group is than the others, by their rewards.
 * @internal
 */
export function advantagesOf(rewards: readonly Reward[]): Advantages {
  const known = rewards.filter(reward => reward !== null);
  const mean = meanOf(known);
  const square = known.reduce((sum, reward) => sum + (reward - mean) ** 2, 0);
  const spread = known.length > 1 ? Math.sqrt(square / (known.length - 1)) : 0;
  if (spread < LEAST_SPREAD) return { values: rewards.map(() => 0), spread: 0 };
  const values = rewards.map(reward => (reward === null ? 0 : (reward - mean) / (spread + LEAST_DEVIATION)));
  return { values, spread };
}

/** 0 for no values. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
