// Settings of a trainer: as texts, as a command line has them, and varied in sweeps.
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import { dpoOptions, grpoOptions, optionsByField } from '../../lib/contract/index.js';
import {
  combinations,
  createTrainer,
  readSetting,
  SETTING_NAMES,
  type SweepGrid,
  sweep,
  type TrainerOptions,
  withSettings,
} from '../../lib/sdk/index.js';

const options: TrainerOptions = {
  name: 'triage',
  dataset: { type: 'file', path: 'rows.jsonl' },
  learningRate: 2e-3,
  lora: { r: 16, alpha: 32 },
};

describe('a setting', () => {
  it.each([
    ['learningRate', '1e-3', 0.001],
    ['lora.r', ' 8', 8],
    ['trainOnResponsesOnly', 'false', false],
    ['lrScheduler', 'cosine', 'cosine'],
    ['model', '7', '7'],
    ['lora.targetModules', 'q_proj,v_proj', 'q_proj,v_proj'],
  ])('%s reads %j as %j', (name, text, value) => {
    expect(readSetting(name, text)).toBe(value);
  });

  it.each([
    ['learningRate', 'fast', '`learningRate` must be a number, not "fast".'],
    ['learningRate', '', '`learningRate` must be a number, not "".'],
    ['lora.r', 'Infinity', '`lora.r` must be a number, not "Infinity".'],
    ['dryRun', '1', '`dryRun` must be true or false, not "1".'],
    ['lernRate', '1', 'There is no setting `lernRate`.'],
    ['toString', '1', 'There is no setting `toString`.'],
    ['name', 'x', 'There is no setting `name`.'],
  ])('%s refuses %j by its name', (name, text, message) => {
    expect(() => readSetting(name, text)).toThrow(message);
  });

  const grader = { type: 'string_check', name: 'a', input: 'a', reference: 'a', operation: 'eq' } as const;

  const isAllowed = (name: string, text: string, schema: z.ZodMiniType) => {
    try {
      return z.safeParse(schema, readSetting(name, text)).success;
    } catch {
      return false;
    }
  };

  it.each([
    [{ 'method.type': 'dpo', 'method.labelSmoothing': '0.1' }, dpoOptions, {}],
    [
      { 'method.type': 'grpo', 'method.group': '4', 'method.epsilon': '0.2' },
      grpoOptions,
      { reward: grader },
    ],
  ])('has a value that a job accepts, for every name, with %o', (method, own, others) => {
    const known = [...optionsByField.values()].map(({ path, schema, default: value }) => {
      const allowed = ['1', '0.5', 'false', 'node'].find(text => isAllowed(path, text, schema));
      return [path, value === undefined ? allowed : String(value)];
    });
    const trial: Record<string, string> = { ...Object.fromEntries(known), ...method, bestBy: 'right' };
    const isOther = (name: string) =>
      name.startsWith('method.') && name !== 'method.type' && !(name.slice(7) in own);
    const names = SETTING_NAMES.filter(name => !isOther(name));
    const values = names.map(name => [name, readSetting(name, trial[name] ?? '1')] as const);
    const scored = { ...options, method: others as never, evals: { right: async () => 1 } };
    expect(() => withSettings(scored, Object.fromEntries(values))).not.toThrow();
  });
});

describe('options with settings', () => {
  it('change what was set and nothing else', () => {
    const nested = { 'lora.r': 8, 'lora.targetModules': 'q_proj, v_proj', 'resources.gpus': 1 };
    expect(withSettings(options, { learningRate: 0.001, ...nested })).toEqual({
      ...options,
      learningRate: 0.001,
      lora: { r: 8, alpha: 32, targetModules: ['q_proj', 'v_proj'] },
      resources: { gpus: 1 },
    });
    expect(options.lora).toEqual({ r: 16, alpha: 32 });
  });

  it.each([
    [{ 'lora.r': 0 }, '`lora.r` must be at least 1.'],
    [{ learningRate: -1 }, '`learningRate` must be more than 0.'],
    [{ lrScheduler: 'steep' }, '`lrScheduler` must be one of `linear`'],
    [{ 'lora.targetModules': 'head' }, '`lora.targetModules[0]` must be one of'],
  ])('refuse %j by the name of the option', (settings, message) => {
    expect(() => withSettings(options, settings)).toThrow(message);
  });
});

describe('combinations', () => {
  const varied = (name: string, ...values: number[]) => ({ name, values });
  const eight = [1, 2, 3, 4, 5, 6, 7, 8];

  it('are all of them, the last setting varying fastest', () => {
    const runs = combinations([varied('learningRate', 1e-3, 2e-3), varied('lora.r', 8, 16)]);
    const pairs = [[1e-3, 8], [1e-3, 16], [2e-3, 8], [2e-3, 16]]; // biome-ignore format: a table
    expect(runs.map(run => run.map(({ value }) => value))).toEqual(pairs);
    expect(runs[0]![1]).toEqual({ name: 'lora.r', value: 8 });
  });

  it('are at most 64, of different values', () => {
    const most = [varied('lora.r', ...eight), varied('seed', ...eight)];
    expect(combinations(most)).toHaveLength(64);
    expect(() => combinations([...most, varied('epochs', 1, 2)])).toThrow(
      'The sweep has 128 combinations; at most 64 can be queued at once.',
    );
    expect(() => combinations([varied('seed')])).toThrow('`seed` has no values');
    expect(() => combinations([varied('seed', 1, 1)])).toThrow('`seed` has the value 1 twice.');
  });
});

describe('sweep()', () => {
  const trainer = createTrainer(options);

  it('has the options of its trainer and what varies, by the names of the options', () => {
    const targetModules: SweepGrid['lora'] = { targetModules: [['q_proj', 'v_proj'], ['q_proj']] };
    const grid = { learningRate: [1e-3, 2e-3], lora: { r: [8, 16], ...targetModules } };
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
    [
      { bestBy: [{ score: 'x' }] },
      'sweep: each value of `bestBy` must be a text, a number, or true or false.',
    ],
    [{ seed: Array.from({ length: 65 }, (_, seed) => seed) }, 'sweep: The sweep has 65 combinations'],
  ])('refuses %j where it is written', (grid, message) => {
    expect(() => sweep(grid as SweepGrid, trainer)).toThrow(message);
  });

  it('varies the options of the method that its trainer has', () => {
    const withMethod = (method: NonNullable<TrainerOptions['method']>) =>
      createTrainer({ ...options, method });
    const grpo = withMethod({ type: 'grpo', reward: () => 1 });
    const grid: SweepGrid = { method: { beta: [0.1, 0.2], group: [4, 8], temperature: [0.5, 1] } };
    expect(sweep(grid, grpo).sweep.map(({ name }) => name)).toEqual([
      'method.beta',
      'method.group',
      'method.temperature',
    ]);
    expect(sweep({ method: { labelSmoothing: [0, 0.1] } }, withMethod({ type: 'dpo' })).sweep).toHaveLength(
      1,
    );
    expect(() => sweep(grid, withMethod({ type: 'dpo' }))).toThrow('`method.group` is not a known field');
  });

  it('has types for what can vary', () => {
    expectTypeOf<{ bestBy: string[]; from: string[]; seed: number[] }>().toExtend<SweepGrid>();
    expectTypeOf<{ method: { updates: number[]; sftWeight: number[] } }>().toExtend<SweepGrid>();
    expectTypeOf<{ bestBy: { score: string }[] }>().not.toExtend<SweepGrid>();
    expectTypeOf<{ method: { schema: object[] } }>().not.toExtend<SweepGrid>();
    expectTypeOf<{ method: { rewardTimeoutMs: number[] } }>().not.toExtend<SweepGrid>();
  });
});
