import { describe, expect, it } from 'vitest';
import {
  noRowsText,
  rowFigures,
  rowsNote,
  rowsTitle,
  sparkPoints,
  sparkText,
  toRowRequest,
} from '../../lib/console/index.js';
import type { RowLoss } from '../../lib/contract/index.js';

const row: RowLoss = {
  row: 4,
  labels: 7,
  visits: 2,
  first: 1.25,
  last: 2,
  mean: 1.625,
  inStep: null,
  losses: [
    { step: 1, loss: 1.25 },
    { step: 9, loss: 2 },
  ],
  text: { file: 'a.jsonl', number: 5, prompt: 'p', answer: 'q' },
};

describe('a row', () => {
  it('has its losses as text, and where it is', () => {
    expect(rowFigures(row)).toEqual({
      first: '1.250',
      last: '2.000',
      change: '+0.750',
      inStep: null,
      visits: '2',
      place: 'a.jsonl:5',
      prompt: 'p',
      answer: 'q',
      isRising: true,
    });
  });

  it('has no change after one visit, and a sign when it fell', () => {
    expect(rowFigures({ ...row, visits: 1, last: 1.25 })).toMatchObject({ change: '', isRising: false });
    expect(rowFigures({ ...row, last: 1 })).toMatchObject({ change: '−0.250', isRising: false });
    const same = rowFigures({ ...row, first: 1, last: 1.0001 });
    expect(same).toMatchObject({ change: '0.000', isRising: false });
  });

  it('is named by its number if its text is gone', () => {
    expect(rowFigures({ ...row, text: null })).toMatchObject({ place: 'row 5', prompt: '', answer: '' });
  });
});

describe('a loss over time', () => {
  const losses = [8, 4, 0].map((loss, i) => ({ step: i + 1, loss }));

  it('is a bar for each visit, the latest ones if there are many', () => {
    expect(sparkText(losses, 12)).toBe('█▅▁');
    expect(sparkText(losses, 2)).toBe('█▁');
    expect(sparkText([{ step: 1, loss: 0 }], 2)).toBe('▁');
    expect(sparkText(losses, 3, '_#')).toBe('##_');
  });

  it('is a line from 0 to the highest', () => {
    expect(sparkPoints(losses)).toEqual([
      { x: 0, y: 1 },
      { x: 0.5, y: 0.5 },
      { x: 1, y: 0 },
    ]);
    expect(sparkPoints([{ step: 1, loss: 3 }])).toEqual([{ x: 0, y: 1 }]);
  });
});

describe('the list', () => {
  it('says how many rows it shows, and if some are not recorded', () => {
    expect(rowsNote({ rows: [row], total: 1, every: 1 })).toBe('1 row');
    expect(rowsNote({ rows: [row], total: 1200, every: 1 })).toBe('1 of 1,200 rows');
    expect(rowsNote({ rows: [row], total: 1, every: 10 })).toBe('1 row · only 1 in 10 rows is recorded');
  });

  it('says why it is empty', () => {
    expect(noRowsText({ kind: 'worst' }, 0)).toBe('No row losses recorded yet');
    expect(noRowsText({ kind: 'rising' }, 5)).toBe('No row’s loss rises');
    expect(noRowsText({ kind: 'step', step: 3 }, 5)).toBe('This step has no recorded rows');
  });

  it('asks for what its title says', () => {
    expect(rowsTitle({ kind: 'step', step: 1200 })).toBe('Rows of step 1,200');
    expect(toRowRequest({ kind: 'step', step: 3 })).toEqual({ sort: 'last', rising: false, step: 3 });
    expect(toRowRequest({ kind: 'rising' })).toEqual({ sort: 'rise', rising: true, step: undefined });
  });
});
