// Which rows of a list or a text are in sight.
import { describe, expect, it } from 'vitest';
import {
  type Anchor,
  keepInSight,
  moveWithin,
  type RowSource,
  rowWindow,
  scrollBy,
  scrollToStart,
  visibleRows,
} from '../../lib/console/index.js';

it('the chosen row stays within the list', () => {
  const moved = [moveWithin(0, -1, 5), moveWithin(3, 10, 5), moveWithin(2, Number.NEGATIVE_INFINITY, 5)];
  expect([...moved, moveWithin(0, 1, 0)]).toEqual([0, 4, 0, -1]);
});

it.each([
  ['stays while the chosen one is the first in sight', 3, 3, 100, 3],
  ['stays while the chosen one is the last in sight', 3, 7, 100, 3],
  ['follows downwards by as little as needed', 3, 8, 100, 4],
  ['follows upwards by as little as needed', 3, 2, 100, 2],
  ['follows to the end', 0, 99, 100, 95],
  ['leaves no room below the last row', 98, 98, 100, 95],
  ['is the first one of a short list', 3, 0, 2, 0],
  ['is the first one of no rows', 0, -1, 0, 0],
])('the row at the top %s', (_, top, chosen, count, wanted) =>
  expect(keepInSight(top, chosen, 5, count)).toBe(wanted),
);

describe('the rows that are drawn', () => {
  const rowHeight = 40;
  const at = (scrolled: number, count = 10_000) => rowWindow({ count, rowHeight, scrolled, viewHeight: 800 });

  it('are all of a short list, and of one whose rows have no known height', () => {
    expect(at(5000, 200)).toEqual({ start: 0, end: 200, before: 0, after: 0 });
    expect(rowWindow({ count: 500, rowHeight: 0, scrolled: 0, viewHeight: 800 }).end).toBe(500);
  });

  it('cover what is in sight wherever one has scrolled, are few, and leave a list of the same height', () => {
    for (let scrolled = -900; scrolled < 10_000 * rowHeight + 9e5; scrolled += 1237) {
      const { start, end, before, after } = at(scrolled);
      expect(start * rowHeight).toBeLessThanOrEqual(Math.max(0, scrolled));
      expect(end * rowHeight).toBeGreaterThanOrEqual(Math.min(10_000 * rowHeight, scrolled + 800));
      expect(end - start).toBeLessThan(100);
      expect(before + (end - start) * rowHeight + after).toBe(10_000 * rowHeight);
    }
  });

  it('stay the same while one scrolls by a row, and end with the last one of a shorter list', () => {
    expect(at(8010)).toEqual(at(8050));
    expect(at(390_000, 300)).toMatchObject({ end: 300, after: 0 });
  });
});

/** Items numbered from `first`, each of so many rows. */
const source = (rows: number[], first = 0): RowSource => ({
  first,
  end: first + rows.length,
  rowsOf: item => rows[item - first]!,
});
const shown = (from: RowSource, anchor: Anchor, height: number) =>
  visibleRows(from, anchor, height).map(({ item, row }) => `${item}.${row}`);

it('a text whose end is followed shows its last rows, of the first item perhaps only some', () => {
  expect(shown(source([1, 3, 1]), null, 3)).toEqual(['1.1', '1.2', '2.0']);
  expect(shown(source([1, 2]), null, 5)).toEqual(['0.0', '1.0', '1.1']);
  expect(shown(source([]), null, 5)).toEqual([]);
});

describe('a text that was scrolled', () => {
  const ones = (count: number, first = 0) => source(Array(count).fill(1), first);
  const long = ones(100);
  const at = (item: number, row = 0) => ({ item, row });

  it('moves by rows, through items of several', () => {
    const tall = source([1, 3, 1, 1]);
    const moved = [scrollBy(tall, null, -1, 3), scrollBy(tall, at(1, 1), -2, 3), scrollBy(tall, at(0), 2, 3)];
    expect(moved).toEqual([at(1, 1), at(0), at(1, 1)]);
  });

  it('stays at its place when more is added or the beginning falls out, until the place does', () => {
    const anchor = scrollBy(long, null, -10, 5);
    expect(shown(ones(150), anchor, 5)).toEqual(shown(long, anchor, 5));
    expect(shown(ones(90, 10), at(40), 2)).toEqual(['40.0', '41.0']);
    expect(shown(ones(90, 60), at(40), 2)).toEqual(['60.0', '61.0']);
  });

  it('goes to the beginning, where it stops, and follows again from the end on', () => {
    expect(scrollBy(long, at(3), -50, 5)).toEqual(at(0));
    expect([scrollBy(long, at(90), 50, 5), scrollBy(long, at(90), 5, 5)]).toEqual([null, null]);
    expect([scrollToStart(long, 5), scrollToStart(source([1, 1]), 5)]).toEqual([at(0), null]);
  });

  it('finds its place when an item has fewer rows than before', () =>
    expect(shown(source([2, 1, 1, 1]), at(0, 6), 2)).toEqual(['0.1', '1.0']));
});
