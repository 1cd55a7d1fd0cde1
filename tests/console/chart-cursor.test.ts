import { describe, expect, it } from 'vitest';
import { chartCursor, chartModel, moveCursor, type SeriesPair } from '../../lib/console/index.js';
import { appendPoint, emptySeries } from '../../lib/console/series.js';

const training = appendPoint(appendPoint(emptySeries, 10, 4), 30, 2);
const evaluation = appendPoint(appendPoint(emptySeries, 20, 3), 30, 3);
const pair: SeriesPair = { training, evaluation };
const at = (step: number, hidden = {}) => chartCursor(chartModel(pair, { hidden }), pair, step, hidden);

describe('the cursor of a chart', () => {
  it('stands on the points that exist at its step', () => {
    expect(at(10)).toEqual({
      step: 10,
      x: 0,
      marks: [{ series: 'training', y: 1 }],
      reading: { step: 10, loss: 4 },
    });
    expect(at(20)).toMatchObject({ x: 0.5, marks: [{ series: 'evaluation', y: 0.5 }] });
    expect(at(30)?.marks).toEqual([
      { series: 'training', y: 0 },
      { series: 'evaluation', y: 0.5 },
    ]);
  });

  it('is nowhere between steps, and not on a hidden series', () => {
    expect(at(11)).toBeNull();
    expect(at(10, { training: true })).toBeNull();
    expect(at(30, { training: true })?.reading).toEqual({ step: 30, evalLoss: 3 });
  });

  it('moves by keys from point to point, and to the ends', () => {
    const move = (key: string, step: number, hidden = {}) => moveCursor(key, pair, step, hidden);
    expect(['ArrowLeft', 'ArrowRight', 'Home', 'End'].map(key => move(key, 20))).toEqual([10, 30, 10, 30]);
    expect([move('ArrowLeft', 10), move('ArrowRight', 30), move('a', 20)]).toEqual([null, null, null]);
    expect(move('ArrowLeft', 30, { evaluation: true })).toBe(10);
    expect(moveCursor('End', { training: emptySeries, evaluation: emptySeries }, 0)).toBeNull();
  });
});
