// The losses that job lists show.
import { expect, it } from 'vitest';
import { NO_LOSSES, noteLosses } from '../../../lib/cloud/jobs/record-events.js';

const after = (...events: Parameters<typeof noteLosses>[1][]) => events.reduce(noteLosses, NO_LOSSES);

it('are the last and the lowest', () => {
  expect(after({ loss: 2 }, { loss: 1, evalLoss: 3 }, { loss: 1.5, evalLoss: null })).toEqual({
    loss: 1.5,
    eval_loss: 3,
    best_loss: 1,
    best_eval_loss: 3,
  });
});

it('are not told as best where a run learns from rewards', () => {
  expect(after({ loss: -0.1, reward: 0.5 }, { loss: 0.2, reward: 0.9 })).toEqual({
    ...NO_LOSSES,
    loss: 0.2,
  });
});
