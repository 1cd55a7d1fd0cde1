// Events of a job, for tests that need some.
import type { JobEvent } from '../../../lib/contract/index.js';
import { JOB_ID } from '../../support/samples.js';

type Common = 'type' | 'jobId' | 'timestamp';
type EventOf<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;

/** The time so many seconds after the beginning. */
export const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, seconds)).toISOString();

const common = { jobId: JOB_ID, timestamp: at(0) };

function eventMaker<Type extends JobEvent['type']>(type: Type, usual: Omit<EventOf<Type>, Common>) {
  return (fields: Partial<Omit<EventOf<Type>, 'type'>> = {}): JobEvent =>
    ({ type, ...common, ...usual, ...fields }) as unknown as JobEvent;
}

export const started = eventMaker('training.started', {
  model: 'svc/tiny',
  dataset: 'train.jsonl',
  totalSteps: 40,
  trainableParameters: 12_288,
  trainTokens: 4000,
});
export const preparing = eventMaker('training.preparing', { rows: 120_000, totalRows: 663_905 });
export const log = eventMaker('training.log', { step: 1 });
export const checkpoint = eventMaker('checkpoint.saved', { step: 20, artifacts: [] });
export const sample = eventMaker('sample.generated', {
  step: 20,
  sample: 0,
  answer: 'It is late.',
  finishReason: 'stop',
});
export const score = eventMaker('score.recorded', { step: 20, name: 'accuracy', value: 0.5 });
export const completed = eventMaker('training.completed', {
  artifacts: [{ name: 'final', kind: 'final', step: 40, bytes: 1500, sha256: 'a'.repeat(64) }],
  metrics: {},
});
export const failed = eventMaker('training.failed', {
  error: 'train.jsonl, row 3: there is nothing to learn.',
});
export const ended = (status: 'completed' | 'failed' | 'cancelled' = 'completed'): JobEvent => ({
  type: 'end',
  ...common,
  status,
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
