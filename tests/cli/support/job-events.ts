// Events of a job, for tests that need some.
import type { JobEvent } from '../../../lib/contract/index.js';
import { JOB_ID } from '../../support/samples.js';

type Fields<Type extends JobEvent['type']> = Partial<Omit<Extract<JobEvent, { type: Type }>, 'type'>>;

/** The time so many seconds after the beginning. */
export const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, seconds)).toISOString();

const common = { jobId: JOB_ID, timestamp: at(0) };

export const started = (fields: Fields<'training.started'> = {}): JobEvent => ({
  type: 'training.started',
  ...common,
  model: 'svc/tiny',
  dataset: 'train.jsonl',
  totalSteps: 40,
  trainableParameters: 12_288,
  trainTokens: 4000,
  ...fields,
});

export const preparing = (fields: Fields<'training.preparing'> = {}): JobEvent => ({
  type: 'training.preparing',
  ...common,
  rows: 120_000,
  totalRows: 663_905,
  ...fields,
});

export const longRows = {
  maxLength: 512,
  truncated: 12,
  skipped: 2,
  first: [
    { file: 'train.jsonl', row: 3, tokens: 812 },
    { file: 'train.jsonl', row: 9, tokens: 1600 },
  ],
};

export const log = (fields: Fields<'training.log'> = {}): JobEvent => ({
  type: 'training.log',
  ...common,
  step: 1,
  ...fields,
});

export const checkpoint = (fields: Fields<'checkpoint.saved'> = {}): JobEvent => ({
  type: 'checkpoint.saved',
  ...common,
  step: 20,
  artifacts: [],
  ...fields,
});

export const sample = (fields: Fields<'sample.generated'> = {}): JobEvent => ({
  type: 'sample.generated',
  ...common,
  step: 20,
  sample: 0,
  answer: 'It is late.',
  finishReason: 'stop',
  ...fields,
});

export const completed = (fields: Fields<'training.completed'> = {}): JobEvent => ({
  type: 'training.completed',
  ...common,
  artifacts: [{ name: 'final', kind: 'final', step: 40, bytes: 1500, sha256: 'a'.repeat(64) }],
  metrics: {},
  ...fields,
});

export const failed = (fields: Fields<'training.failed'> = {}): JobEvent => ({
  type: 'training.failed',
  ...common,
  error: 'train.jsonl, row 3: there is nothing to learn.',
  ...fields,
});

export const ended = (status: 'completed' | 'failed' | 'cancelled' = 'completed'): JobEvent => ({
  type: 'end',
  ...common,
  status,
});
