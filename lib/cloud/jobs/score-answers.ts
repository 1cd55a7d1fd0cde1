// Gives the answers of a run's step their rewards, with the grader of its method.
import type {
  Grader,
  RewardedAnswer,
  RewardGroup,
  RewardRequest,
  RewardResponse,
} from '../../contract/index.js';
import { type AskJudge, createGrader } from '../../grading/index.js';
import { eachAtOnce } from '../../system/index.js';

/** Questions to a model at a time: more would only wait in its queue. */
const LANES = 4;

export type ScoreAnswers = (request: RewardRequest) => Promise<RewardResponse>;

/** Rejects only if the signal aborts. */
export function createScoring(grader: Grader, ask: AskJudge, signal: AbortSignal): ScoreAnswers {
  const { grade } = createGrader(grader, { ask });

  async function reward(item: RewardGroup['item'], sample: RewardedAnswer) {
    const given = await grade({ item, sample }, signal);
    if ('error' in given) return { error: given.error };
    const { reward, parts } = given;
    return { reward, ...(Object.keys(parts).length > 0 && { parts }) };
  }

  return async ({ groups }) => {
    const rewards: RewardResponse['rewards'] = groups.map(() => []);
    const places = groups.flatMap(({ item, answers }, group) =>
      answers.map((answer, i) => ({ item, answer, group, i })),
    );
    await eachAtOnce(places, LANES, async ({ item, answer, group, i }) => {
      rewards[group]![i] = await reward(item, answer);
    });
    return { rewards };
  };
}
