// Sweeps in a program: which runs they are, and what they refuse.
import { describe, expect, it } from 'vitest';
import { combinations, createTrainer, type SweepGrid, sweep } from '../../lib/sdk/index.js';

const trainer = createTrainer({ name: 'triage', dataset: { type: 'file', path: 'rows.jsonl' } });

describe('combinations', () => {
  it('are all of them, the last setting varying fastest', () => {
    const runs = combinations([
      { name: 'learningRate', values: [1e-3, 2e-3] },
      { name: 'lora.r', values: [8, 16] },
    ]);
    expect(runs.map(run => run.map(({ value }) => value))).toEqual([
      [1e-3, 8],
      [1e-3, 16],
      [2e-3, 8],
      [2e-3, 16],
    ]);
    expect(runs[0]![1]).toEqual({ name: 'lora.r', value: 8 });
  });

  it('are at most 64', () => {
    const eight = [1, 2, 3, 4, 5, 6, 7, 8];
    const two = [
      { name: 'lora.r', values: eight },
      { name: 'seed', values: eight },
    ];
    expect(combinations(two)).toHaveLength(64);
    expect(() => combinations([...two, { name: 'epochs', values: [1, 2] }])).toThrow(
      'The sweep has 128 combinations; at most 64 can be queued at once.',
    );
  });

  it('refuse no values, and equal ones', () => {
    expect(() => combinations([{ name: 'seed', values: [] }])).toThrow('`seed` has no values');
    expect(() => combinations([{ name: 'seed', values: [1, 1] }])).toThrow('`seed` has the value 1 twice.');
  });
});

describe('sweep()', () => {
  it('has the options of its trainer and what varies, by the names of the options', () => {
    const grid: SweepGrid = {
      learningRate: [1e-3, 2e-3],
      lora: { r: [8, 16], targetModules: [['q_proj', 'v_proj'], ['q_proj']] },
    };
    expect(sweep(grid, trainer)).toMatchObject({
      name: 'triage',
      options: trainer.options,
      sweep: [
        { name: 'learningRate', values: [1e-3, 2e-3] },
        { name: 'lora.r', values: [8, 16] },
        { name: 'lora.targetModules', values: ['q_proj,v_proj', 'q_proj'] },
      ],
    });
  });

  it.each<[object, string]>([
    [{}, 'sweep: Name at least one option'],
    [{ learningRate: 1e-3 }, 'sweep: `learningRate` must be a list of values.'],
    [{ learningRate: null }, 'sweep: `learningRate` must be a list of values.'],
    [{ lernRate: [1] }, 'sweep: There is no setting `lernRate`.'],
    [{ lora: { r: [8, 0] } }, 'sweep: `lora.r` must be at least 1.'],
    [{ learningRate: ['fast'] }, 'sweep: `learningRate` must be a number.'],
    [{ seed: Array.from({ length: 65 }, (_, seed) => seed) }, 'sweep: The sweep has 65 combinations'],
  ])('refuses %j where it is written', (grid, message) => {
    expect(() => sweep(grid as SweepGrid, trainer)).toThrow(message);
  });
});
