// What a run is judged by where its trainer chose no score: what its answers earn if it learns from rewards, or else its loss.

/** The field of a job with the latest value, the one with the best so far, its name in texts, and whether higher is better. */
interface Measure {
  readonly name: 'evalReward' | 'reward' | 'evalLoss' | 'loss';
  readonly best: 'bestEvalReward' | 'bestReward' | 'bestEvalLoss' | 'bestLoss';
  readonly words: string;
  readonly higher: boolean;
}

const REWARDS: readonly [heldOut: Measure, training: Measure] = [
  { name: 'evalReward', best: 'bestEvalReward', words: 'held-out reward', higher: true },
  { name: 'reward', best: 'bestReward', words: 'reward', higher: true },
];

const LOSSES: readonly [heldOut: Measure, training: Measure] = [
  { name: 'evalLoss', best: 'bestEvalLoss', words: 'eval loss', higher: false },
  { name: 'loss', best: 'bestLoss', words: 'loss', higher: false },
];

/** That of held-out rows, which counts if there is one, and that of training. `runs`: one, or several that are compared. */
export function measuresOf(...runs: readonly { readonly reward?: number | null | undefined }[]) {
  return runs.some(({ reward = null }) => reward !== null) ? REWARDS : LOSSES;
}
