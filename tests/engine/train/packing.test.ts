import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import { type Example, packExamples, toPass } from '../../../lib/engine/train/packing.js';
import { choosePassShape } from '../../../lib/engine/train/pass-shape.js';

function example(length: number, start = 10): Example {
  return {
    ids: Int32Array.from({ length }, (_, i) => start + i),
    supervised: Array.from({ length }, (_, i) => i >= Math.floor(length / 2)),
  };
}

describe('packing', () => {
  it('puts every example into one line, never exceeding the line or the labels of a pass', () => {
    const random = createRandom(1);
    const examples = Array.from({ length: 200 }, (_, i) => example(2 + Math.floor(random.next() * 60), i));
    const shape = { batch: 3, sequence: 64, labels: 110 };
    const passes = packExamples(examples, shape);
    expect(passes.flat(2).length).toBe(200);
    expect(new Set(passes.flat(2)).size).toBe(200);
    for (const lines of passes) {
      expect(lines).toHaveLength(3);
      for (const line of lines)
        expect(line.reduce((sum, { ids }) => sum + ids.length, 0)).toBeLessThanOrEqual(64);
      const pass = toPass(lines, shape, 1);
      expect(pass.supervised).toBeLessThanOrEqual(110);
    }
    const tokens = examples.reduce((sum, { ids }) => sum + ids.length, 0);
    expect(tokens / (passes.length * 3 * 64)).toBeGreaterThan(0.85);
  });

  it('rejects an example that does not fit into any line', () => {
    expect(() => packExamples([example(65)], { batch: 1, sequence: 64, labels: 64 })).toThrow('does not fit');
  });

  it('numbers rows and positions, and takes each label from the token before it', () => {
    const lines = [[example(4, 10), example(3, 20)], [example(2, 30)]];
    const pass = toPass(lines, { batch: 2, sequence: 8, labels: 6 }, 0.25);
    expect([...pass.ids].map(Number)).toEqual([10, 11, 12, 13, 20, 21, 22, 0, 30, 31, 0, 0, 0, 0, 0, 0]);
    expect([...pass.positions].map(Number)).toEqual([0, 1, 2, 3, 0, 1, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect([...pass.rows]).toEqual([0, 0, 0, 0, 1, 1, 1, -1, 0, 0, -1, -1, -1, -1, -1, -1]);
    expect([...pass.at].map(Number)).toEqual([1, 2, 4, 5, 8, 0]);
    expect([...pass.labels].map(Number)).toEqual([12, 13, 21, 22, 31, 0]);
    expect([...pass.weights]).toEqual([0.25, 0.25, 0.25, 0.25, 0.25, 0]);
    expect([pass.tokens, pass.supervised]).toEqual([9, 5]);
  });

  it('has no label for a first token, since nothing precedes it', () => {
    const all = { ids: [5, 6], supervised: [true, true] };
    expect(toPass([[all]], { batch: 1, sequence: 4, labels: 2 }, 1).supervised).toBe(1);
  });
});

describe('the shape of a pass', () => {
  it('fits the longest row and wastes little of a typical step', () => {
    const rows = [...Array.from({ length: 20 }, () => example(40)), example(100)];
    const shape = choosePassShape(rows, 8);
    expect(() => packExamples([example(100)], shape)).not.toThrow();
    const step = rows.slice(0, 8);
    const slots = packExamples(step, shape).length * shape.batch * shape.sequence;
    expect((8 * 40) / slots).toBeGreaterThan(0.65);
    expect(shape.labels).toBeLessThan(shape.batch * shape.sequence);
  });

  it('has a label for every token if all are learned', () => {
    const all = Array.from({ length: 4 }, () => ({
      ids: new Int32Array(64),
      supervised: new Array(64).fill(true),
    }));
    expect(choosePassShape(all, 4)).toEqual({ batch: 4, sequence: 64, labels: 256 });
  });
});
