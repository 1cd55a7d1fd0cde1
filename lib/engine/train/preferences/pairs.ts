// From the losses of labels to those of pairs of answers. Pure.
import type { PreferenceShape } from '../../model/index.js';
import type { Metrics } from '../objective.js';
import type { PreferenceMethod } from '../options.js';
import { countLabels, type Example, type Pass, toPass } from '../packing.js';

type Lines = readonly (readonly Example[])[];

/** Log-probabilities of the two answers of a pair, each summed over its tokens. */
export interface AnswerScores {
  chosen: number;
  rejected: number;
}

export interface PairResult {
  /** Without what `sftWeight` adds. */
  loss: number;
  /** How much likelier the answers became than the reference has them, times `beta`. */
  chosenReward: number;
  rejectedReward: number;
}

export const toShape = ({ beta, labelSmoothing }: PreferenceMethod): PreferenceShape => ({
  beta,
  smoothing: labelSmoothing,
});

/** The scores of the pairs of a pass, in the order in which they occur in it. */
export function scoreAnswers(lines: Lines, labelLosses: ArrayLike<number>): Map<Example, AnswerScores> {
  const scores = new Map<Example, AnswerScores>();
  let label = 0;
  for (const text of lines.flat()) {
    let score = 0;
    for (const end = label + countLabels(text); label < end; label++) score -= labelLosses[label]!;
    const { of, side } = text.answer!;
    const known = scores.get(of) ?? { chosen: 0, rejected: 0 };
    scores.set(of, { ...known, [side === 1 ? 'chosen' : 'rejected']: score });
  }
  return scores;
}

/** How a pair is preferred, beside the reference. */
export function comparePair(
  scores: AnswerScores,
  reference: AnswerScores,
  { beta, labelSmoothing }: PreferenceMethod,
): PairResult {
  const chosenReward = beta * (scores.chosen - reference.chosen);
  const rejectedReward = beta * (scores.rejected - reference.rejected);
  const z = chosenReward - rejectedReward;
  const loss = (1 - labelSmoothing) * softplus(-z) + labelSmoothing * softplus(z);
  return { loss, chosenReward, rejectedReward };
}

/** log(1 + e^x) */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

/** The means over pairs. A pair counts as right if its chosen answer has the higher reward. */
export function toMetrics(results: readonly PairResult[]): Metrics {
  const mean = (of: (result: PairResult) => number) =>
    results.reduce((sum, result) => sum + of(result), 0) / results.length;
  return {
    rewardMargin: mean(({ chosenReward, rejectedReward }) => chosenReward - rejectedReward),
    rewardAccuracy: mean(({ chosenReward, rejectedReward }) => Number(chosenReward > rejectedReward)),
    chosenReward: mean(({ chosenReward }) => chosenReward),
    rejectedReward: mean(({ rejectedReward }) => rejectedReward),
  };
}

interface PairWeights {
  referenceOf(pair: Example): AnswerScores;
  /** Of each pair. */
  weight: number;
  /** Of each label of a chosen answer. */
  labelWeight: number;
}

export function toPairPass(lines: Lines, { referenceOf, weight, labelWeight }: PairWeights): Pass {
  const texts = lines.flat();
  const pairs = [...new Set(texts.map(({ answer }) => answer!.of))];
  const pass = toPass(lines, ({ answer }) => (answer!.side === 1 ? labelWeight : 0));
  const width = pass.labels.length;
  const sides = new Float32Array(pairs.length * width);
  let label = 0;
  for (const text of texts) {
    const { of, side } = text.answer!;
    const row = pairs.indexOf(of) * width;
    const end = label + countLabels(text);
    sides.fill(side, row + label, row + end);
    label = end;
  }
  const reference = Float32Array.from(pairs, pair => {
    const { chosen, rejected } = referenceOf(pair);
    return chosen - rejected;
  });
  return { ...pass, pairs: { sides, reference, weights: new Float32Array(pairs.length).fill(weight) } };
}
