// The rows of queries and keys in the order that llama.cpp reads them in.
import { expect, it } from 'vitest';
import { pairRows } from '../../../lib/engine/export/pair-rows.js';

it('puts the two rows that a position turns together beside each other, head by head', () => {
  const rows = [0, 1, 2, 3, 10, 11, 12, 13].flatMap(row => [row, -row]);
  const paired = [0, 2, 1, 3, 10, 12, 11, 13].flatMap(row => [row, -row]);
  expect([...pairRows(Float32Array.from(rows), 4, 2)]).toEqual(paired);
});
