// How much better each answer of a group is than the others, by their rewards.

/** Null for an answer without a reward, which takes no part in its group. */
type Reward = number | null;

/** Added to the deviation of rewards, as TRL does. */
const LEAST_DEVIATION = 1e-4;

/** Rewards that differ by less are the same. */
const LEAST_SPREAD = 1e-8;

export interface Advantages {
  /** In deviations of the group from its mean. All are 0 if its rewards are the same. */
  values: number[];
  /** The deviation of the rewards; 0 if there is nothing to learn from the group. */
  spread: number;
}

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
