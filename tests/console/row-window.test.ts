import { describe, expect, it } from 'vitest';
import { rowWindow } from '../../lib/console/index.js';

const rowHeight = 40;
const at = (scrolled: number, count = 10_000, viewHeight = 800) =>
  rowWindow({ count, rowHeight, scrolled, viewHeight });

describe('the rows that are drawn', () => {
  it('are all of a short list', () => {
    expect(at(5000, 200)).toEqual({ start: 0, end: 200, before: 0, after: 0 });
  });

  it('cover what is in sight wherever one has scrolled, and are few', () => {
    for (let scrolled = -900; scrolled < 10_000 * rowHeight; scrolled += 1237) {
      const { start, end } = at(scrolled);
      expect(start * rowHeight).toBeLessThanOrEqual(Math.max(0, scrolled));
      expect(end * rowHeight).toBeGreaterThanOrEqual(Math.min(10_000 * rowHeight, scrolled + 800));
      expect(end - start).toBeLessThan(100);
    }
  });

  it('leave a list of the same height', () => {
    for (const scrolled of [-500, 0, 399_000, 123_456, 9e9]) {
      const { start, end, before, after } = at(scrolled);
      expect(before + (end - start) * rowHeight + after).toBe(10_000 * rowHeight);
    }
  });

  it('stay the same ones while one scrolls by a row', () => {
    expect(at(8010)).toEqual(at(8050));
  });

  it('end with the last row when one has scrolled beyond a list that became shorter', () => {
    expect(at(390_000, 300)).toMatchObject({ end: 300, after: 0 });
  });

  it('are all of them while the height of a row is not known', () => {
    expect(rowWindow({ count: 500, rowHeight: 0, scrolled: 0, viewHeight: 800 }).end).toBe(500);
  });
});
