import { describe, expect, it } from 'vitest';
import {
  type Anchor,
  type RowSource,
  scrollBy,
  scrollToStart,
  visibleRows,
} from '../../lib/console/index.js';

/** Items numbered from `first`, each of so many rows. */
const source = (rows: number[], first = 0): RowSource => ({
  first,
  end: first + rows.length,
  rowsOf: item => rows[item - first]!,
});
const shown = (from: RowSource, anchor: Anchor, height: number) =>
  visibleRows(from, anchor, height).map(({ item, row }) => `${item}.${row}`);

describe('a text whose end is followed', () => {
  it('shows its last rows, of the first item perhaps only some', () => {
    expect(shown(source([1, 3, 1]), null, 3)).toEqual(['1.1', '1.2', '2.0']);
  });

  it('shows all that there is when it is short, and nothing of nothing', () => {
    expect(shown(source([1, 2]), null, 5)).toEqual(['0.0', '1.0', '1.1']);
    expect(shown(source([]), null, 5)).toEqual([]);
  });
});

describe('a text that was scrolled', () => {
  const long = source(Array.from({ length: 100 }, () => 1));

  it('moves by rows, through items of several', () => {
    const tall = source([1, 3, 1, 1]);
    expect(scrollBy(tall, null, -1, 3)).toEqual({ item: 1, row: 1 });
    expect(scrollBy(tall, { item: 1, row: 1 }, -2, 3)).toEqual({ item: 0, row: 0 });
    expect(scrollBy(tall, { item: 0, row: 0 }, 2, 3)).toEqual({ item: 1, row: 1 });
  });

  it('stays at its place when more is added', () => {
    const anchor = scrollBy(long, null, -10, 5);
    const longer = source(Array.from({ length: 150 }, () => 1));
    expect(shown(longer, anchor, 5)).toEqual(shown(long, anchor, 5));
  });

  it('stays at its place when the beginning falls out, until the place itself does', () => {
    const anchor = { item: 40, row: 0 };
    expect(shown(source(Array(90).fill(1), 10), anchor, 2)).toEqual(['40.0', '41.0']);
    expect(shown(source(Array(90).fill(1), 60), anchor, 2)).toEqual(['60.0', '61.0']);
  });

  it('stops at the beginning, and follows again from the end on', () => {
    expect(scrollBy(long, { item: 3, row: 0 }, -50, 5)).toEqual({ item: 0, row: 0 });
    expect(scrollBy(long, { item: 90, row: 0 }, 50, 5)).toBeNull();
    expect(scrollBy(long, { item: 90, row: 0 }, 5, 5)).toBeNull();
  });

  it('goes to the beginning at once, unless all is in sight', () => {
    expect(scrollToStart(long, 5)).toEqual({ item: 0, row: 0 });
    expect(scrollToStart(source([1, 1]), 5)).toBeNull();
  });

  it('finds its place when an item has fewer rows than before', () => {
    expect(shown(source([2, 1, 1, 1]), { item: 0, row: 6 }, 2)).toEqual(['0.1', '1.0']);
  });
});
