import { expect, test } from 'vitest';
import { downsample } from '../../lib/console/downsample.js';

const wave = Float64Array.from({ length: 5000 }, (_, index) => Math.sin(index / 7) + index / 4000);

test('a series that fits keeps every point', () => {
  expect(downsample([5, 3, 9], 3, 3)).toEqual([0, 1, 2]);
  expect(downsample([], 0, 3)).toEqual([]);
});

test('a longer series keeps its ends and at most the limit, each once and in order', () => {
  for (const limit of [2, 3, 4, 5, 10, 99, 100, 4998, 4999]) {
    const indices = downsample(wave, wave.length, limit);
    expect(indices.length).toBeLessThanOrEqual(limit);
    expect([indices[0], indices.at(-1)]).toEqual([0, 4999]);
    expect(indices).toEqual([...new Set(indices)].sort((a, b) => a - b));
  }
});

test('each bucket keeps its lowest and its highest value', () => {
  expect(downsample([0, 4, 9, 1, 5, 7, 7, 2, 6, 3], 10, 6)).toEqual([0, 2, 3, 6, 7, 9]);
});

test('the extremes survive wherever they are', () => {
  for (let place = 0; place < wave.length; place += 37) {
    const values = wave.slice();
    values[place] = 100;
    values[(place + 2500) % wave.length] = -100;
    const kept = downsample(values, values.length, 4).map(index => values[index]);
    expect(kept).toContain(100);
    expect(kept).toContain(-100);
  }
});

test('flat stretches use up the limit too', () => {
  expect(downsample(new Float64Array(5000), 5000, 100)).toHaveLength(100);
});

test('only the first `length` values count', () => {
  expect(downsample([1, 2, 1, 2, 1, 2, 99], 6, 4).at(-1)).toBe(5);
});

test('a limit too small for both ends is still not passed', () => {
  expect([downsample(wave, 5000, 1), downsample(wave, 5000, 0)]).toEqual([[0], []]);
});
