import { expect, it } from 'vitest';
import { eventText } from '../../../cli/commands/start/event-text.js';
import { noProgress } from '../../../cli/commands/training/progress.js';

const started = {
  type: 'training.started',
  jobId: 'job',
  timestamp: '2026-01-01T00:00:00.000Z',
  model: 'tiny',
  dataset: 'rows.jsonl',
  totalSteps: 10,
  trainableParameters: 5,
  trainTokens: 7,
} as const;

it.each([
  [undefined, 'Resuming training after step 3.'],
  [[6], 'The checkpoint at step 6 was damaged. Resuming training after step 3.'],
  [[9, 6], 'The checkpoints at steps 9, 6 were damaged. Resuming training after step 3.'],
])('a run that is resumed says after which step, and which checkpoints were damaged: %j', (damaged, text) => {
  const event = { ...started, resumedFromStep: 3, ...(damaged && { damagedCheckpoints: damaged }) };
  expect(eventText(event, noProgress)).toBe(text);
});

it.each([
  [{ step: 0, sample: 0, answer: 'No\nidea.' }, 'base model  sample 1: No idea.'],
  [{ step: 50, sample: 1, answer: 'It is late.' }, 'step 50  sample 2: It is late.'],
  [{ step: 50, sample: 1, answer: null, error: 'Too long.' }, 'step 50  sample 2: not answered: Too long.'],
])('an answer to a sample has a line: %j', (answer, text) => {
  const { jobId, timestamp } = started;
  expect(eventText({ type: 'sample.generated', jobId, timestamp, ...answer }, noProgress)).toBe(text);
});
