// What a demonstration's runs say at their checkpoints, beside what was recorded: answers of the model, and scores.
import type { JobEvent } from '../../../lib/contract/index.js';

const MESSAGES = [
  'I was charged twice for order 71-246-7, and it is urgent. Anna',
  'Where is my parcel? You sent it a week ago.',
];

const ANSWERS: Readonly<Record<number, readonly [number, readonly [string, string]]>> = {
  50: [0.2, ['{"desk":"coin","heat":1,"ref":"71-246","who":"-"}', '{"desk":"coin","heat":1,"ref":"-"}']],
  100: [
    0.55,
    ['{"desk":"coin","heat":2,"ref":"71-246-7","who":"-"}', '{"desk":"box","heat":1,"ref":"-","who":"-"}'],
  ],
  150: [
    0.8,
    ['{"desk":"coin","heat":2,"ref":"71-246-7","who":"Anna"}', '{"desk":"box","heat":1,"ref":"-","who":"-"}'],
  ],
  200: [
    0.85,
    ['{"desk":"coin","heat":3,"ref":"71-246-7","who":"Anna"}', '{"desk":"box","heat":1,"ref":"-","who":"-"}'],
  ],
};

export const JUDGED_CONFIG = {
  samples: MESSAGES.map(content => ({ messages: [{ role: 'user', content }] })),
  evals: ['right'],
  bestBy: { score: 'right', higher: true },
};

/** What follows an event of the run. */
export function judge(event: JobEvent): JobEvent[] {
  if (event.type === 'training.started') return answer(event, 0, ['Your order is on its way.', 'Hello!']);
  const step =
    event.type === 'checkpoint.saved' ? event.step : event.type === 'training.completed' ? 200 : null;
  const [right, answers] = ANSWERS[step ?? -1] ?? [];
  if (step === null || right === undefined || !answers) return [];
  const { jobId, timestamp } = event;
  return [
    ...answer(event, step, answers),
    { type: 'score.recorded', jobId, timestamp, step, name: 'right', value: right },
  ];
}

function answer({ jobId, timestamp }: JobEvent, step: number, answers: readonly string[]): JobEvent[] {
  return answers.map((text, sample) => ({
    type: 'sample.generated',
    jobId,
    timestamp,
    step,
    sample,
    answer: text,
    finishReason: 'stop',
  }));
}
