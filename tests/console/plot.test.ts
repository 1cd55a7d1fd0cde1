import { describe, expect, it } from 'vitest';
import {
  besideCursor,
  chartModel,
  fractionAt,
  plotArea,
  plotPoints,
  plotX,
  plotY,
  roomyTicks,
} from '../../lib/console/index.js';
import { appendPoint, emptySeries } from '../../lib/console/series.js';

const margins = { character: 7, gap: 9, top: 10, right: 20, bottom: 30 };
const area = plotArea({ width: 400, height: 200 }, ['0.5', '1.25'], margins);

describe('the plot', () => {
  it('leaves room for the widest label, and around', () => {
    expect(area).toEqual({ left: 51, top: 10, width: 329, height: 160 });
    expect(plotArea({ width: 400, height: 200 }, ['1.2345e-7'], margins).left).toBe(72);
  });

  it('has no negative size in a drawing that is too small, or not measured yet', () => {
    expect(plotArea({ width: 0, height: 0 }, [], margins)).toMatchObject({ width: 0, height: 0 });
  });

  it('has 0 at its left and bottom, 1 at its right and top', () => {
    expect([plotX(area, 0), plotX(area, 1)]).toEqual([51, 380]);
    expect([plotY(area, 0), plotY(area, 1)]).toEqual([170, 10]);
  });

  it('has labels that do not touch in a low chart, where ticks give way to the ends', () => {
    const cpu = [15.58, 31, 42, 58, 61].reduce(
      (series, value, step) => appendPoint(series, step, value),
      emptySeries,
    );
    const { ticks } = chartModel({ training: cpu, evaluation: emptySeries }).y;
    const labelsAt = (height: number) => roomyTicks(ticks, height, 14).map(({ label }) => label);
    expect(labelsAt(212)).toEqual(['15.58', '20', '30', '40', '50', '61']);
    expect(labelsAt(112)).toEqual(['15.58', '30', '40', '50', '61']);
    expect(labelsAt(40)).toEqual(['15.58', '40', '61']);
    expect(labelsAt(0)).toEqual(['15.58']);
  });

  it('says nothing twice where labels are rounded', () => {
    const ticks = ['1.2 GB', '1.2 GB', '1.3 GB'].map((label, index) => ({ label, position: index / 2 }));
    expect(roomyTicks(ticks, 200, 14).map(({ position }) => position)).toEqual([0, 1]);
  });

  it('turns vertices into points, one for each', () => {
    const vertices = [
      { step: 1, value: 5, x: 0, y: 1 / 3 },
      { step: 2, value: 9, x: 1, y: 1 },
    ];
    expect(plotPoints(area, vertices)).toBe('51,116.67 380,10');
    expect(plotPoints(area, [])).toBe('');
  });

  it('finds the fraction under a place, the ends for what is outside', () => {
    expect([0, 51, 215.5, 380, 999].map(x => fractionAt(area, x))).toEqual([0, 0, 0.5, 1, 1]);
    expect(fractionAt({ ...area, width: 0 }, 50)).toBe(0);
  });
});

describe('a box beside the cursor', () => {
  it('stands to the right where there is room, else to the left, and never sticks out', () => {
    expect(besideCursor(100, 120, 400, 10)).toBe(110);
    expect(besideCursor(300, 120, 400, 10)).toBe(170);
    expect(besideCursor(60, 120, 140, 10)).toBe(0);
    expect(besideCursor(399, 120, 400, 10)).toBe(269);
  });
});
