// Scores answers by the reward that a trainer learns from: its function runs here, and so does a grader that names a server; others run in
// the cloud.
import type { CloudClient } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  findFailedRewards,
  type Grader,
  grpoOptions,
  MOST_GRADED,
  type Rewarded,
} from '../../contract/index.js';
import { type RowAnswer, toRewardScores } from '../../evaluation/index.js';
import { eachAtOnce } from '../../system/index.js';
import { toToolCall } from '../../tool-calls/index.js';
import { patiently } from '../evaluation/ask-rows.js';
import type { Rewarding } from '../evaluation/evaluate.js';
import type { AskableRow } from '../evaluation/read-rows.js';
import type { Env } from '../files/files.js';
import type { GrpoMethod, RewardFunction, TrainerOptions } from './options.js';
import { toRewardFunction } from './reward-source.js';
import { REWARDED_AT_ONCE, rewardOne, USUAL_LIMIT_MS } from './rewarder.js';

interface RewardDeps {
  cloud(): Promise<CloudClient>;
  clock: Clock;
  env: Env;
}

/** Null for a trainer that does not learn from rewards. */
export function openRewarding(
  { method }: Pick<TrainerOptions, 'method'>,
  deps: RewardDeps,
): Rewarding | null {
  if (method?.type !== 'grpo') return null;
  const { reward, schema = null, maxTokens = grpoOptions.maxTokens.default } = method;
  const own = toRewardFunction(reward, deps);
  const rewardAll = own ? byFunction(own, method, deps) : byGrader(reward as Grader, deps);
  return {
    schema,
    maxTokens,
    async reward(rows, answers, signal) {
      const places = rows.flatMap((row, index) => {
        const { answer, calls = [] } = answers[index]!;
        return answer === null ? [] : [{ index, row, text: answer, toolCalls: calls.map(toToolCall) }];
      });
      const rewards = await rewardAll(places, signal);
      checkRewards(rewards);
      const scored = [...answers];
      for (const [at, { index }] of places.entries())
        scored[index] = withReward(answers[index]!, rewards[at]!);
      return scored;
    },
  };
}

interface Answered {
  row: AskableRow;
  text: string;
  toolCalls: ReturnType<typeof toToolCall>[];
}

type RewardAll = (answers: readonly Answered[], signal: AbortSignal | undefined) => Promise<Rewarded[]>;

function byFunction(
  reward: RewardFunction,
  { rewardTimeoutMs: limitMs = USUAL_LIMIT_MS }: GrpoMethod,
  { clock }: RewardDeps,
): RewardAll {
  return async (answers, signal) => {
    const rewards: Rewarded[] = [];
    await eachAtOnce([...answers.entries()], REWARDED_AT_ONCE, async ([index, { row, text, toolCalls }]) => {
      signal?.throwIfAborted();
      const { item = {}, messages } = row;
      const context = { row: item, messages: messages as never, toolCalls, step: 0 };
      rewards[index] = await rewardOne(reward, text, context, { limitMs, clock });
    });
    return rewards;
  };
}

function byGrader(grader: Grader, { cloud, clock }: RewardDeps): RewardAll {
  return async (answers, signal) => {
    const rewards: Rewarded[] = [];
    let movedAt = clock.elapsed();
    for (let from = 0; from < answers.length; from += MOST_GRADED) {
      const some = answers.slice(from, from + MOST_GRADED).map(({ row: { item = {} }, text, toolCalls }) => ({
        ...{ item, text },
        ...(toolCalls.length > 0 && { toolCalls }),
      }));
      const graded = await patiently(
        async () => (await cloud()).gradeAnswers({ grader, answers: some }, { signal }),
        signal,
        clock,
        () => movedAt,
      );
      movedAt = clock.elapsed();
      rewards.push(...graded.rewards);
    }
    return rewards;
  };
}

/** As in training. */
function checkRewards(rewards: readonly Rewarded[]): void {
  const problem =
    rewards.length === 0 ? 'No row was answered, so there is nothing to reward.' : findFailedRewards(rewards);
  if (problem !== null) throw new ApiError('invalid_value', problem, { param: 'reward' });
}

function withReward(answer: RowAnswer, given: Rewarded): RowAnswer {
  return 'error' in given
    ? { ...answer, error: given.error }
    : { ...answer, rewards: toRewardScores(given.reward, given.parts) };
}
