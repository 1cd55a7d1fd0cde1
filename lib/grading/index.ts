// Rewards for answers, as OpenAI's graders give them: by comparing texts, by asking a model, or by a formula over several of
// these. Knows nothing of jobs, models or the cloud, and asks only the judge that it is given.
export { createGrader, findGraderFault, type Grade } from './create-grader.js';
export type { AskJudge, JudgeAnswer, JudgeQuestion, TokenUsage } from './judge.js';
