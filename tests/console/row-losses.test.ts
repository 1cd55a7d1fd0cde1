import { expect, it } from 'vitest';
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

const lossesOf = (...losses: number[]) => losses.map((loss, index) => ({ step: index + 1, loss }));
const numbers = { row: 4, labels: 7, visits: 2, first: 1.25, last: 2, mean: 1.625, inStep: null };
const row: RowLoss = {
  ...numbers,
  losses: lossesOf(1.25, 2),
  text: { file: 'a.jsonl', number: 5, prompt: 'p', answer: 'q' },
};

it('a row has its losses as text, and where it is', () => {
  const figures = {
    first: '1.250',
    last: '2.000',
    change: '+0.750',
    inStep: null,
    visits: '2',
    isRising: true,
  };
  expect(rowFigures(row)).toEqual({ ...figures, place: 'a.jsonl:5', prompt: 'p', answer: 'q' });
});

it.each([
  ['no change after one visit', { visits: 1, last: 1.25 }, { change: '', isRising: false }],
  ['a sign when it fell', { last: 1 }, { change: '−0.250', isRising: false }],
  ['no sign when it stayed', { first: 1, last: 1.0001 }, { change: '0.000', isRising: false }],
  [
    'the file whose rows were mapped, which is the one that the user has',
    { text: { file: 'a.csv.mapped.jsonl', number: 5, prompt: 'p', answer: 'q' } },
    { place: 'row 5 of a.csv after mapping' },
  ],
  ['its number for a name if its text is gone', { text: null }, { place: 'row 5', prompt: '', answer: '' }],
])('a row has %s', (_, fields, figures) => expect(rowFigures({ ...row, ...fields })).toMatchObject(figures));

it('a loss over time is a bar for each of the latest visits, and a line from 0 to the highest', () => {
  const losses = lossesOf(8, 4, 0);
  expect([sparkText(losses, 12), sparkText(losses, 2), sparkText(losses, 3, '_#')]).toEqual([
    '█▅▁',
    '█▁',
    '##_',
  ]);
  expect(sparkText(lossesOf(0), 2)).toBe('▁');
  const points = sparkPoints(lossesOf(8, 4, 0)).map(({ x, y }) => `${x}, ${y}`);
  expect(points).toEqual(['0, 1', '0.5, 0.5', '1, 0']);
  expect(sparkPoints(lossesOf(3))).toEqual([{ x: 0, y: 1 }]);
});

it('the list says how many rows it shows, if some are not recorded, and why it is empty', () => {
  const note = (total: number, every: number) => rowsNote({ rows: [row], total, every });
  expect([note(1, 1), note(1200, 1)]).toEqual(['1 row', '1 of 1,200 rows']);
  expect(note(1, 10)).toBe('1 row · only 1 in 10 rows is recorded');
  const recorded = (count: number) => ({ recorded: count, unrecorded: null });
  expect(noRowsText({ kind: 'worst' }, recorded(0))).toBe('No row losses recorded yet');
  expect(noRowsText({ kind: 'rising' }, recorded(5))).toBe('No row’s loss rises');
  expect(noRowsText({ kind: 'step', step: 3 }, recorded(5))).toBe('This step has no recorded rows');
  const why = 'It has none.';
  expect(noRowsText({ kind: 'worst' }, { recorded: 0, unrecorded: why })).toBe(why);
});

it('the list asks for what its title says', () => {
  expect(rowsTitle({ kind: 'step', step: 1200 })).toBe('Rows of step 1,200');
  expect(toRowRequest({ kind: 'step', step: 3 })).toEqual({ sort: 'last', rising: false, step: 3 });
  expect(toRowRequest({ kind: 'rising' })).toEqual({ sort: 'rise', rising: true, step: undefined });
});
