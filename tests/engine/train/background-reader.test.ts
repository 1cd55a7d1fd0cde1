import { afterEach, expect, it, vi } from 'vitest';
import type { RowPart } from '../../../lib/engine/train/open-rows.js';
import { createBackgroundReader, RowSweep } from '../../../lib/engine/train/row-sweep.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const part = {
  table: { length: 10 } as RowPart['table'],
  rows: {
    at: () => ({ ids: Int32Array.of(1, 2), supervised: Uint8Array.of(0, 1), length: 2 }),
    close() {},
  },
  first: 0,
  isTrained: () => true,
};

it('reports new progress every five seconds at most, and always at the end', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const sweep = new RowSweep([part], 8);
  const reader = createBackgroundReader(sweep, [], 'digest');
  const progressAt = (now: number, isEnd?: boolean) => {
    clock.mockReturnValue(now);
    return reader.takeProgress(isEnd);
  };
  for (let i = 0; i < 3; i++) sweep.next();
  expect(progressAt(4999)).toBeNull();
  expect(progressAt(5000)).toEqual({ type: 'preparing', rows: 3, totalRows: 10 });
  expect(progressAt(10_000)).toBeNull();
  sweep.next();
  expect(progressAt(10_000)).toMatchObject({ rows: 4 });
  sweep.next();
  expect(progressAt(10_000)).toBeNull();
  expect(progressAt(10_000, true)).toMatchObject({ rows: 5 });
  await reader.advance(1000);
  expect(progressAt(10_000)).toMatchObject({ rows: 10, trainTokens: expect.any(Number) });
});
