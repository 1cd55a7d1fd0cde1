import { describe, expect, it } from 'vitest';
import { keepInSight, moveWithin } from '../../lib/console/index.js';

describe('the chosen row', () => {
  it('stays within the list', () => {
    expect(moveWithin(0, -1, 5)).toBe(0);
    expect(moveWithin(3, 10, 5)).toBe(4);
    expect(moveWithin(2, Number.NEGATIVE_INFINITY, 5)).toBe(0);
    expect(moveWithin(0, 1, 0)).toBe(-1);
  });
});

describe('the row at the top', () => {
  it('stays while the chosen one is in sight', () => {
    expect(keepInSight(3, 3, 5, 100)).toBe(3);
    expect(keepInSight(3, 7, 5, 100)).toBe(3);
  });

  it('follows the chosen one by as little as needed', () => {
    expect(keepInSight(3, 8, 5, 100)).toBe(4);
    expect(keepInSight(3, 2, 5, 100)).toBe(2);
    expect(keepInSight(0, 99, 5, 100)).toBe(95);
  });

  it('leaves no room below the last row, and none above the first', () => {
    expect(keepInSight(98, 98, 5, 100)).toBe(95);
    expect(keepInSight(3, 0, 5, 2)).toBe(0);
    expect(keepInSight(0, -1, 5, 0)).toBe(0);
  });
});
