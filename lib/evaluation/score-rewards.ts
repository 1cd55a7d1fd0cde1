// Rewards as scores: a function or a grader has computed them, with the parts that they consist of.
import type { RowScores, Scorer } from './scorer.js';

const REWARD = 'reward';

export function rewardScorer(parts: readonly string[]): Scorer {
  return {
    kind: 'reward',
    labels: null,
    names: [REWARD, ...parts.map(name => `${REWARD}.${name}`)].map(name => ({ name, kind: 'reward' })),
    score: (_expected, _answer, _calls, given = {}) => given,
  };
}

/** The scores of an answer with this reward. */
export function toRewardScores(reward: number, parts: Readonly<Record<string, number>> = {}): RowScores {
  const named = Object.entries(parts).map(([name, value]) => [`${REWARD}.${name}`, value]);
  return { [REWARD]: reward, ...Object.fromEntries(named) };
}
