// Answers of a run that learns from rewards, as a cloud keeps them: of three steps, with a group of each kind.
import type { JobAnswers, StepAnswer, StepGroup } from '../../lib/contract/index.js';

const answer = (text: string, reward: number, more: Partial<StepAnswer> = {}): StepAnswer => ({
  ...{ text, calls: [], cutFrom: null, reward, parts: {} },
  ...more,
});

const group = (row: number, prompt: string, more: Partial<StepGroup>): StepGroup => ({
  ...{ row, prompt, answers: 4, failed: 0, error: null, mean: 0.5, best: null, worst: null },
  ...more,
});

const groups = (step: number): StepGroup[] => [
  group(3, 'Count the words: plum, pear, fig.', {
    best: answer(`{"count":3,"step":${step}}`, 1, { parts: { right: 1, brief: 0.5 } }),
    worst: answer('I think\nthere are some.', 0.2, { parts: { right: 0, brief: 1 } }),
  }),
  group(0, 'Weather in Paris?', {
    best: answer('', 1, { calls: [{ name: 'get_weather', arguments: '{"city":"Paris"}' }] }),
    worst: answer(`${'long '.repeat(80)}end`, -1.5, { cutFrom: 9120 }),
    failed: 1,
    error: 'It took longer than 30 s.',
  }),
  group(7, 'Say nothing.', { best: answer('', 0.5) }),
  group(8, 'Say something.', { failed: 4, error: 'no parser', mean: null }),
];

const STEPS = [1, 10, 20];

/** Asked by a client or by a query, which is text. */
export function sampleAnswers({ step }: { step?: number | string | undefined } = {}): JobAnswers {
  const wanted = Number(step ?? Number.POSITIVE_INFINITY);
  const shown = STEPS.findLast(each => each <= wanted) ?? STEPS[0]!;
  return { steps: STEPS, step: shown, groups: groups(shown), total: 4, quiet: 1 };
}

export const NO_ANSWERS: JobAnswers = { steps: [], step: null, groups: [], total: 0, quiet: 0 };
