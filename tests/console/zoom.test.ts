import { describe, expect, it } from 'vitest';
import { zoomBetween, zoomBy } from '../../lib/console/index.js';

const whole = { from: 0, to: 100 };

describe('zooming', () => {
  it('is to the stretch that was dragged over, in either direction', () => {
    expect(zoomBetween({ from: 20, to: 60 }, 0.25, 0.5)).toEqual({ from: 30, to: 40 });
    expect(zoomBetween({ from: 20, to: 60 }, 0.5, 0.25)).toEqual({ from: 30, to: 40 });
  });

  it('is not meant by a click that moved a little', () => {
    expect(zoomBetween(whole, 0.5, 0.505)).toBeNull();
  });

  it('by keys halves what is shown and leaves its place where it was', () => {
    expect(zoomBy(whole, whole, 20, 1)).toEqual({ from: 10, to: 60 });
    expect(zoomBy(whole, { from: 10, to: 60 }, 20, -1)).toBeNull();
    expect(zoomBy(whole, { from: 80, to: 90 }, 89, -1)).toEqual({ from: 71, to: 91 });
  });

  it('stays inside of the run and ends where there is nothing more to see', () => {
    expect(zoomBy(whole, whole, 100, 1)).toEqual({ from: 50, to: 100 });
    const closest = { from: 50, to: 50.01 };
    expect(zoomBy(whole, closest, 50, 1)).toEqual(closest);
    expect(zoomBy({ from: 7, to: 7 }, { from: 7, to: 7 }, 7, 1)).toBeNull();
  });
});
