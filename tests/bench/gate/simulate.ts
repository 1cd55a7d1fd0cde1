// Simulated comparisons of two candidates whose true difference is known.

import { createRandom, type Random } from '../../../lib/engine/random.js';
import { compareScores, type ScorePair, type Verdict } from '../../../lib/evaluation/index.js';

/** What the candidates are like: which share of answers changes, and how much the second one loses by that. */
export interface Truth {
  readonly rows: number;
  readonly changed: number;
  readonly loss: number;
  /** Scores between 0 and 1 instead of right and wrong. */
  readonly graded?: boolean;
}

export function simulate(truth: Truth, comparisons: number, seed = 1): Record<Verdict, number> {
  const counts = { better: 0, worse: 0, no_difference_found: 0 };
  for (let run = 0; run < comparisons; run++) {
    const random = createRandom(seed, run);
    const pairs = Array.from({ length: truth.rows }, () => drawPair(truth, random));
    counts[compareScores({ name: 'score', kind: 'mean' }, pairs).verdict]++;
  }
  return counts;
}

/** The first candidate is right in 80 % of the rows that do not change. */
function drawPair({ changed, loss, graded }: Truth, random: Random): ScorePair {
  const isWorse = random.next() < (1 + loss / changed) / 2;
  const isChanged = random.next() < changed;
  if (!graded) {
    const before = Number(random.next() < 0.8);
    if (!isChanged) return [before, before];
    return isWorse ? [0, 1] : [1, 0];
  }
  const [one, other] = [random.next(), random.next()];
  if (!isChanged) return [one, one];
  return isWorse
    ? [Math.min(one, other), Math.max(one, other)]
    : [Math.max(one, other), Math.min(one, other)];
}
