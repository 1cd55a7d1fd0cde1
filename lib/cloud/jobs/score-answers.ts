// Gives answers their rewards with a grader: those of a run's step, or others.
import {
  ApiError,
  type BodyOf,
  type CloudRoutes,
  type Grader,
  type Rewarded,
  type RewardedAnswer,
  type RewardGroup,
  type RewardRequest,
  type RewardResponse,
} from '../../contract/index.js';
import { type AskJudge, createGrader, findGraderFault } from '../../grading/index.js';
import { eachAtOnce } from '../../system/index.js';
import type { JobContext } from './job-context.js';

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

/** The caller under which a project's graders ask models. */
export function openJudge(
  { judge }: Pick<JobContext, 'judge'>,
  projectId: string,
  signal: AbortSignal,
): AskJudge {
  return judge?.(projectId, signal) ?? (() => Promise.reject(new Error('No model can be asked here.')));
}

/** Of no run. Throws an `ApiError` for a grader that cannot be used. */
export async function gradeAnswers(
  context: Pick<JobContext, 'judge'>,
  projectId: string,
  { grader, answers }: BodyOf<CloudRoutes['gradeAnswers']>,
  signal: AbortSignal,
): Promise<Rewarded[]> {
  const fault = findGraderFault(grader);
  if (fault) throw new ApiError('invalid_value', `\`grader\`: ${fault.message}`, { param: 'grader' });
  const score = createScoring(grader, openJudge(context, projectId, signal), signal);
  const groups = answers.map(({ item, ...answer }, row) => ({ row, item, messages: [], answers: [answer] }));
  return (await score({ step: 0, groups })).rewards.map(([rewarded]) => rewarded!);
}
