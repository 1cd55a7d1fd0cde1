import { expect, it } from 'vitest';
import { drawPicture, renderTables, replaceBetween } from './document.js';

const series = [
  {
    title: 'Training: tokens a step',
    points: [
      { label: '128', tokensPerSecond: 400, peakMB: 1000 },
      { label: '256', tokensPerSecond: 800, peakMB: 2000 },
    ],
  },
];

it('tables have a row for each point', () => {
  expect(renderTables(series)).toBe(
    [
      '### Training: tokens a step',
      '',
      '| tokens a step | tokens/s | peak MB |',
      '|---:|---:|---:|',
      '| 128 | 400 | 1,000 |',
      '| 256 | 800 | 2,000 |',
    ].join('\n'),
  );
});

it('only what lies between the marks is replaced', () => {
  const text = 'a\n<!-- x -->\nold\n<!-- /x -->\nb\n';
  expect(replaceBetween(text, 'x', 'new')).toBe('a\n<!-- x -->\nnew\n<!-- /x -->\nb\n');
  expect(() => replaceBetween(text, 'y', 'new')).toThrow('no <!-- y -->');
});

it('the picture has a line for speed and one for memory, the largest value at the top', () => {
  const picture = drawPicture(series);
  const lines = [...picture.matchAll(/<polyline points="([^"]+)"/g)].map(([, points]) => points!.split(' '));
  expect(lines).toHaveLength(2);
  const heights = lines.map(line => line.map(point => Number(point.split(',')[1])));
  expect(heights).toEqual([
    [100, 60],
    [209, 174],
  ]);
  for (const label of ['128', '256', '400', '2,000']) expect(picture).toContain(`>${label}</text>`);
});
