// How benchmark results are printed.
import { expect, it } from 'vitest';
import { renderTable } from './table.js';

it('aligns text to the left and numbers to the right', () => {
  const rows = [
    { what: 'a', 'median ms': 1.5, runs: 12_000 },
    { what: 'longer', 'median ms': 123.4 },
  ];
  expect(renderTable(rows).split('\n')).toEqual([
    'what    median ms    runs',
    '──────  ─────────  ──────',
    'a           1.500  12,000',
    'longer        123',
  ]);
});
