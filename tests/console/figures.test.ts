import { describe, expect, it } from 'vitest';
import {
  noLossText,
  readingFigures,
  readingText,
  summarize,
  summaryFigures,
} from '../../lib/console/index.js';

it('says that a loss is waited for only while one may come', () => {
  for (const status of [null, 'running'] as const)
    expect(noLossText(status)).toBe('Waiting for the first loss…');
  expect(noLossText('running', { rows: 1200, totalRows: 4000 })).toBe('Preparing rows: 1,200 of 4,000');
  expect(noLossText('failed', { rows: 1200, totalRows: 4000 })).toBe('No losses were logged.');
  expect(noLossText('queued')).toBe('Waiting in the queue.');
  for (const status of ['completed', 'failed', 'cancelled'] as const)
    expect(noLossText(status)).toBe('No losses were logged.');
});

describe('the figures of a reading', () => {
  it('are those that exist at the step, to four digits', () => {
    expect(readingFigures({ step: 1, loss: 0.123456 })).toEqual([
      { series: 'training', label: 'Training loss', value: '0.1235' },
    ]);
    expect(readingFigures({ step: 1, evalLoss: 0 }).map(({ label, value }) => [label, value])).toEqual([
      ['Eval loss', '0'],
    ]);
    expect(readingFigures({ step: 1, loss: 1, evalLoss: 2 })).toHaveLength(2);
    expect(
      readingFigures({ step: 1, loss: 1, evalLoss: 2, smoothed: 1.25 }).map(({ label, value }) => [
        label,
        value,
      ]),
    ).toEqual([
      ['Training loss', '1'],
      ['Smoothed', '1.25'],
      ['Eval loss', '2'],
    ]);
    expect(readingFigures({ step: 1 })).toEqual([]);
  });

  it('are said aloud with their step', () => {
    expect(readingText({ step: 1200, loss: 0.5, evalLoss: 0.25 })).toBe(
      'Step 1,200: training loss 0.5, eval loss 0.25',
    );
  });
});

describe('the figures of a card', () => {
  const values = (numbers: number[]) =>
    Object.fromEntries(summaryFigures(summarize(numbers)).map(({ label, value }) => [label, value]));

  it('are the mean with its half-width, the spread and the upper percentiles', () => {
    expect(values([5, 3, 1, 4, 2])).toEqual({
      'Mean, 95% CI': '3 ± 1.963',
      'Std. deviation': '1.581',
      Variance: '2.5',
      p90: '4.6',
      p95: '4.8',
      Values: '5',
    });
  });

  it('are a dash where a single value defines none', () => {
    expect(values([0.5])).toMatchObject({
      'Mean, 95% CI': '0.5',
      'Std. deviation': '–',
      Variance: '–',
      p90: '0.5',
    });
  });

  it('are none without a value', () => {
    expect(summaryFigures(summarize([]))).toEqual([]);
  });
});
