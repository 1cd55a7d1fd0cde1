// The loss chart that an agent looks at.
import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { drawCurve } from '../../../cli/mcp/curve-picture.js';
import { createPicture } from '../../../cli/mcp/picture.js';

/** The pixels of a PNG with three bytes each and no filters, as its writer makes them. */
function readPng(png: Buffer) {
  const parts: Record<string, Buffer> = {};
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const named = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    parts[named.toString('latin1', 0, 4)] = named.subarray(4);
    at += length + 12;
  }
  const [width, height] = [parts.IHDR!.readUInt32BE(0), parts.IHDR!.readUInt32BE(4)];
  const rows = inflateSync(parts.IDAT!);
  expect(rows.length).toBe(height * (width * 3 + 1));
  const pixel = (x: number, y: number) => [...rows.subarray(y * (width * 3 + 1) + 1 + x * 3).subarray(0, 3)];
  const count = (color: readonly number[]) => {
    let found = 0;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) if (pixel(x, y).every((part, i) => part === color[i])) found++;
    return found;
  };
  return { width, height, pixel, count };
}

const [WHITE, RED] = [
  [255, 255, 255],
  [255, 0, 0],
] as const;

describe('a picture', () => {
  it('has lines and characters where they are drawn, and nothing beyond its edges', () => {
    const picture = createPicture(30, 20, WHITE);
    picture.line([2, 3], [8, 3], RED);
    picture.line([-5, 100], [40, 100], RED, 3);
    picture.text([20, 10], '1', RED);
    const { width, height, pixel, count } = readPng(picture.toPng());
    expect([width, height]).toEqual([30, 20]);
    expect([2, 8, 9].map(x => pixel(x, 3))).toEqual([RED, RED, WHITE]);
    // Seven pixels of the line, and eight of the character, each drawn as four.
    expect(count(RED)).toBe(7 + 8 * 4);
  });
});

const TRAINING = [37, 99, 235];
const EVALUATION = [217, 119, 6];

describe('the losses', () => {
  const log = (step: number, fields: object) => ({ type: 'training.log', step, ...fields });

  it('are two lines', () => {
    const events = Array.from({ length: 50 }, (_, step) => log(step + 1, { loss: 3 / (step + 1) }));
    const one = readPng(drawCurve([...events, { type: 'end' }])!);
    const both = readPng(drawCurve([...events, log(25, { evalLoss: 2 }), log(50, { evalLoss: 1 })])!);
    expect(one.count(TRAINING)).toBeGreaterThan(500);
    expect(one.count(EVALUATION)).toBe(0);
    expect(both.count(EVALUATION)).toBeGreaterThan(300);
  });

  it('give way to the rewards of a run that learns from them', () => {
    const rewards = [log(1, { loss: 0.2, reward: 0 }), log(2, { loss: 9, reward: 1, evalReward: 0.5 })];
    const picture = drawCurve(rewards)!;
    expect(picture).toEqual(drawCurve(rewards.map(event => ({ ...event, loss: 0 }))));
    expect(picture).not.toEqual(drawCurve(rewards.map(event => ({ ...event, reward: 0.5 }))));
    expect(readPng(picture).count(EVALUATION)).toBeGreaterThan(0);
  });

  it('are no picture before the first', () => {
    expect(drawCurve([{ type: 'training.started' }, log(1, { loss: null })])).toBeNull();
  });
});
