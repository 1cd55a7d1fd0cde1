// The losses and rewards that job lists show.
import { expect, it } from 'vitest';
import { NO_RESULTS, noteResults } from '../../../lib/cloud/jobs/record-events.js';

const after = (...events: Parameters<typeof noteResults>[1][]) => events.reduce(noteResults, NO_RESULTS);

it('are the last and the lowest loss', () => {
  expect(after({ loss: 2 }, { loss: 1, evalLoss: 3 }, { loss: 1.5, evalLoss: null })).toEqual({
    ...NO_RESULTS,
    loss: 1.5,
    eval_loss: 3,
    best_loss: 1,
    best_eval_loss: 3,
  });
});

it('are the last and the highest reward where a run learns from them, and no best loss', () => {
  const [first, second] = [
    { loss: -0.1, reward: 0.9 },
    { loss: 0.2, reward: 0.5, evalReward: -1 },
  ];
  expect(after(first, second, { loss: 0.1, reward: 0.75, evalReward: -2 })).toEqual({
    ...NO_RESULTS,
    loss: 0.1,
    reward: 0.75,
    eval_reward: -2,
    best_reward: 0.9,
    best_eval_reward: -1,
  });
});
