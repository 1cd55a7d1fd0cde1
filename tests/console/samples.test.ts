import { describe, expect, it } from 'vitest';
import { initialJobView, reduceJobView } from '../../lib/console/job/job-view.js';
import {
  addSample,
  hasChanges,
  readSampleAnswer,
  type Samples,
  sampleMessage,
  samplePrompts,
  sampleStepAt,
  sampleStepLabel,
  sampleSteps,
  samplesAt,
} from '../../lib/console/job/samples.js';

const answered = (step: number, sample: number, answer: string | null, more = {}) => {
  return { step, sample, answer, isCut: false, error: null, ...more };
};
const collect = (...answers: ReturnType<typeof answered>[]) => answers.reduce<Samples>(addSample, []);
const textOf = (row: { answer: readonly { text: string; isNew: boolean }[] }) =>
  row.answer.map(({ text, isNew }) => (isNew ? `*${text}` : text)).join('');

it('an answer to a sample is read from its event, and is one line of the log', () => {
  const payload = { step: 50, sample: 1, answer: 'Hi', finishReason: 'length' };
  expect(readSampleAnswer(payload)).toEqual(answered(50, 1, 'Hi', { isCut: true }));
  for (const broken of [{}, { step: 1 }, { step: -1, sample: 0 }, { step: 1, sample: '0' }])
    expect(readSampleAnswer(broken)).toBeNull();
  expect(sampleMessage(answered(50, 1, 'It is\n"late".'))).toBe('step=50 sample=2 "It is \\"late\\"."');
  expect(sampleMessage(answered(50, 0, null, { error: 'Too long.' }))).toBe('step=50 sample=1 Too long.');
  expect(sampleMessage(answered(50, 0, 'x'.repeat(500))).length).toBeLessThan(150);
});

it('an answer to a sample is part of the view of a job, once', () => {
  const data = JSON.stringify({ type: 'sample.generated', step: 50, sample: 0, answer: 'late' });
  const frame = { id: '7', event: 'sample.generated', data };
  const view = reduceJobView(initialJobView, { type: 'events', parts: [frame] });
  expect(reduceJobView(view, { type: 'events', parts: [frame] }).samples).toEqual([
    [answered(50, 0, 'late')],
  ]);
  expect(view.log).toMatchObject([{ event: 'sample.generated', message: 'step=50 sample=1 "late"' }]);
});

describe('the samples of a job', () => {
  const late = answered(50, 0, 'It is late.', { isCut: true });
  const broken = answered(50, 1, null, { error: 'Too long.' });
  const first = [answered(0, 0, 'I do not know.'), answered(100, 0, 'It is lost.')];
  const samples = collect(...first, late, broken, late);

  it('have steps, of which one stands for a place in the chart, and mark what changed since', () => {
    expect(sampleSteps(samples)).toEqual([0, 50, 100]);
    expect([0, 49, 50, 99, 5000].map(step => sampleStepAt(samples, step))).toEqual([0, 0, 50, 50, 100]);
    expect([sampleStepAt([[], [answered(50, 1, 'x')]], 3), sampleStepAt([], 3)]).toEqual([50, null]);
    const at = (step: number) => samplesAt(samples, ['Where is it?', 'And?'], step);
    expect([at(100).map(textOf), textOf(at(0)[0]!)]).toEqual([['It is *lost.', ''], 'I do not know.']);
    expect([0, 50, 100].map(step => hasChanges(at(step)))).toEqual([false, true, true]);
    expect(at(50)).toMatchObject([
      { prompt: 'Where is it?', step: 50, note: 'Cut at its token limit' },
      { prompt: 'And?', step: 50, note: 'Too long.' },
    ]);
    expect(at(100)[1]).toMatchObject({ step: null, note: 'Not answered yet' });
  });

  it('are named by their steps', () => {
    const labels = [0, 1250, 2000].map(step => sampleStepLabel(step, 2000));
    expect(labels).toEqual(['Base model', 'Step 1,250', 'Final, step 2,000']);
  });

  it('ask what their last message says', () => {
    const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
    const parts = user([{ type: 'text', text: 'And?' }]);
    const prompts = samplePrompts({ samples: [user('Where\nis it?'), parts, { messages: [] }, null] });
    expect(prompts).toEqual(['Where is it?', 'And?', '', '']);
    const question = 'ask '.repeat(40).trim();
    const long = { samples: [user(question)] };
    expect(samplePrompts(long)[0]).toMatch(/^(ask )+a?s?k?…$/);
    expect([samplePrompts(long, 159), samplePrompts(null), samplePrompts({ samples: 'x' })]).toEqual([
      [question],
      [],
      [],
    ]);
  });
});
