// Is it better? Scores of answers against what was expected, their intervals, and comparisons of two candidates on the same
// rows. Knows nothing of models, files or the cloud.
export { buildEvaluation, type ExpectedRow, type RowAnswer } from './build-evaluation.js';
export {
  buildGate,
  /** @internal */
  compareScores,
  /** @internal */
  findableDifference,
  findComparison,
  judgeComparison,
  type OtherCheck,
  /** @internal */
  type ScorePair,
  /** @internal */
  type Verdict,
} from './compare-scores.js';
export { GENERAL_SET } from './general-set.js';
export { inferTask, type ScoredTask } from './infer-task.js';
export { createScorer } from './score-answer.js';
export { scoreNames, toRewardScores } from './scorer.js';
/** @internal */
/** @internal */
export { labelF1, macroF1, summarizeScores } from './summarize-scores.js';
export { countShared, listF1, wordsOf } from './texts.js';
