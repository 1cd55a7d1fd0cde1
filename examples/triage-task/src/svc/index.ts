// Files what customers write under a shop's own JSON schema. `npx svc start` runs it.
import { createService, createTrainer, scoreTask } from 'svc';
import { triage } from './task.js';

const trainer = createTrainer({
  name: 'triage',
  task: triage,
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalDataset: { type: 'file', path: 'data/held-out.jsonl' },
  lora: { r: 16, alpha: 32, dropout: 0.1 },
  epochs: 12,
  batchSize: 16,
  learningRate: 2e-3,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  evalSteps: 50,
  evals: {
    // Few rows, so that they take little of the time that training needs; `svc eval` asks all.
    exact: scoreTask(triage, { on: 'data/held-out.jsonl', limit: 20, score: 'exact' }),
  },
  bestBy: 'exact',
});

export const service = createService({ trainer });
