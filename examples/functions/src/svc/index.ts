// A smart home's own functions: which one to call, and with which arguments. `node rows.mjs` makes the rows; `npx svc start` runs
// it, or R in `npx svc dev`.
import { createService, createTrainer, scoreCalls } from 'svc';

const trainer = createTrainer({
  name: 'functions',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalDataset: { type: 'file', path: 'data/held-out.jsonl' },
  lora: { r: 16, alpha: 32 },
  epochs: 1,
  maxLength: 768,
  batchSize: 8,
  learningRate: 5e-4,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  saveSteps: 25,
  evals: { 'right calls': scoreCalls({ on: 'data/held-out.jsonl' }) },
  bestBy: 'right calls',
});

export const service = createService({ trainer });
