// How often reading a large data set during training reports progress.
import { afterEach, expect, it, vi } from 'vitest';
import { createBackgroundReader } from '../../../lib/engine/train/background-reader.js';
import type { EncodedRows } from '../../../lib/engine/train/encoded-rows.js';
import { RowSweep } from '../../../lib/engine/train/row-sweep.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const rows: EncodedRows = {
  length: 10,
  at: () => ({ ids: Int32Array.of(1, 2), supervised: Uint8Array.of(0, 1), length: 2 }),
  nameOf: row => ({ file: 'rows.jsonl', row }),
  close() {},
};

it('reports new progress every five seconds at most, and always at the end', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const sweep = new RowSweep([{ rows, isTrained: () => true }], 8);
  const reader = createBackgroundReader(sweep, [], 'digest');
  const read = (count: number) => {
    for (let i = 0; i < count; i++) sweep.next();
  };
  read(3);
  now = 4999;
  expect(reader.takeProgress()).toBeNull();
  now = 5000;
  expect(reader.takeProgress()).toEqual({ type: 'preparing', rows: 3, totalRows: 10 });
  now = 10_000;
  expect(reader.takeProgress()).toBeNull();
  read(1);
  expect(reader.takeProgress()).toMatchObject({ rows: 4 });
  read(1);
  expect(reader.takeProgress()).toBeNull();
  expect(reader.takeProgress(true)).toMatchObject({ rows: 5 });
  await reader.advance(1000);
  expect(reader.takeProgress()).toMatchObject({ rows: 10, trainTokens: expect.any(Number) });
});
