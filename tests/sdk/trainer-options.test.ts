// The options of a trainer, and the job input made from them.
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type JobInput, jobInput, parseRequest } from '../../lib/contract/index.js';
import {
  createService,
  createTrainer,
  type DatasetInput,
  type MapRow,
  type TrainerOptions,
  type TrainerResult,
} from '../../lib/sdk/index.js';
import { toJobInput } from '../../lib/sdk/trainer/job-input.js';

const dataset = { type: 'file', path: 'data/train.jsonl' } as const;
const least: TrainerOptions = { name: 'triage', dataset };
const upload = { datasetSource: { type: 'upload', datasetId: 'd1' } } as const;

describe('the options of a trainer', () => {
  it('become a job input of the contract, without defaults for missing options', () => {
    expect(toJobInput(least, 'svc/tiny', upload)).toEqual({
      name: 'triage',
      config: { model: 'svc/tiny', ...upload },
    });
    const all: TrainerOptions = {
      ...least,
      evalFraction: 0.1,
      method: { type: 'sft' },
      lora: { r: 8, alpha: 16, dropout: 0.1, targetModules: ['q_proj'] },
      maxLength: 256,
      tooLong: 'error',
      maxSteps: 100,
      epochs: 2,
      learningRate: 1e-3,
      batchSize: 4,
      gradientAccumulationSteps: 2,
      lrScheduler: 'cosine',
      warmupSteps: 5,
      weightDecay: 0.01,
      loggingSteps: 1,
      saveSteps: 10,
      evalSteps: 10,
      trainOnResponsesOnly: false,
      seed: 7,
      dryRun: true,
      evals: { accuracy: () => 1 },
      bestBy: { score: 'accuracy', higher: true },
    };
    const given: JobInput = toJobInput(all, 'svc/tiny', upload);
    expect(parseRequest(jobInput, given)).toEqual(given);
    expect(Object.keys(given.config)).toHaveLength(26);
  });

  it.each<[string, unknown, string]>([
    ['an unknown option', { ...least, learnRate: 1 }, 'unknown option `learnRate`'],
    ['an eval that is no function', { ...least, evals: { a: 1 } }, '`evals.a` must be a function'],
    ['too long a name of an eval', { ...least, evals: { ['a'.repeat(41)]: () => 1 } }, '`evals[0]`'],
    [
      'a best score that is not measured',
      { ...least, evals: { a: () => 1 }, bestBy: 'b' },
      '`bestBy` must name one of `evals`, and there is no `b`',
    ],
    ['an unknown tooLong', { ...least, tooLong: 'cut' }, '`tooLong`'],
    [
      'an unknown method',
      { ...least, method: { type: 'ppo' } },
      '`method.type` is missing or has an unknown value',
    ],
    ['a beta of 0', { ...least, method: { type: 'dpo', beta: 0 } }, '`method.beta` must be more than 0'],
    [
      'a beta without dpo',
      { ...least, method: { type: 'sft', beta: 1 } },
      '`method.beta` is not a known field',
    ],
    [
      'a method that compares answers and also trains on questions',
      { ...least, method: { type: 'dpo' }, trainOnResponsesOnly: false },
      '`trainOnResponsesOnly` must not be false with the method dpo',
    ],
    [
      'a method that PyTorch does not have',
      { ...least, method: { type: 'dpo' }, engine: 'torch' },
      '`engine` must be node with the method dpo',
    ],
    ['no data set', { name: 'a' }, '`dataset.type` must be one of file, rows, huggingface, blob'],
    [
      'a data set of no type',
      { name: 'a', dataset: { type: '__proto__' } },
      '`dataset.type` must be one of file, rows',
    ],
    ['more steps than can be counted', { ...least, maxSteps: 2 ** 53 }, '`maxSteps` must be at most'],
    ['a data set without its path', { name: 'a', dataset: { type: 'file' } }, '`dataset.path` is required'],
    ['an empty name', { ...least, name: ' ' }, '`name` must have at least 1 character'],
    ['an invalid nested number', { ...least, lora: { r: 0 } }, '`lora.r` must be at least 1'],
    ['an unknown schedule', { ...least, lrScheduler: 'up' }, '`lrScheduler` must be one of'],
    [
      'an unknown module',
      { ...least, lora: { targetModules: ['x'] } },
      '`lora.targetModules[0]` must be one of',
    ],
    ['two evaluations', { ...least, evalDataset: dataset, evalFraction: 0.1 }, 'cannot be used together'],
    [
      'a map that is none',
      { ...least, dataset: { ...dataset, map: 'x' } },
      '`dataset.map` must be a function',
    ],
    [
      'a map of rows',
      { ...least, dataset: { type: 'rows', rows: [], map: () => null } },
      '`dataset.map` is for files, the Hub and URLs',
    ],
    [
      'a map beside columns',
      { ...least, evalDataset: { ...dataset, map: () => null, columns: { text: 'a' } } },
      '`evalDataset.map` and `evalDataset.columns` cannot be used together',
    ],
    ['no options', undefined, 'pass an object with options'],
  ])('are validated by createTrainer: %s', (_, options, message) => {
    expect(() => createTrainer(options as TrainerOptions)).toThrow(TypeError);
    expect(() => createTrainer(options as TrainerOptions)).toThrow(message);
  });
});

describe('a service', () => {
  it('accepts one trainer and nothing else', () => {
    const trainer = createTrainer(least);
    expect(createService({ trainer }).trainer).toBe(trainer);
    expect(createService().trainer).toBeNull();
    expect(() => createService({ trainer: [trainer] as never })).toThrow('must be a single trainer');
    expect(() => createService({ trainers: [] } as never)).toThrow('unknown option `trainers`');
  });
});

describe('the types', () => {
  it('allow a service only one trainer', () => {
    const trainer = createTrainer(least);
    // @ts-expect-error not several
    expect(() => createService({ trainer: [trainer, trainer] })).toThrow(TypeError);
    // @ts-expect-error nor a second one under another name
    expect(() => createService({ trainer, evaluator: trainer })).toThrow(TypeError);
    // @ts-expect-error nor a second service
    expect(() => createService({ trainer }, { trainer })).toThrow(TypeError);
  });

  it('let a map return a row, nothing, or a promise of either', () => {
    const of = (map: MapRow) => createTrainer({ ...least, dataset: { ...dataset, map } });
    of(({ question, answer }) => ({ messages: [question.trim(), answer] }));
    of(async row => (row.isBad ? null : { text: row.text }));
    of(() => undefined);
    expectTypeOf<DatasetInput>().extract<{ type: 'blob' }>().toHaveProperty('map');
    // @ts-expect-error a text is no row
    of(() => 'text');
    // @ts-expect-error rows are mapped before
    const mapped: DatasetInput = { type: 'rows', rows: [], map: () => null };
    expect(mapped.type).toBe('rows');
  });

  it('describe callback arguments and results', () => {
    createTrainer({
      ...least,
      evals: {
        accuracy: async ({ step, adapter, infer }) => {
          expectTypeOf(adapter.jobId).toEqualTypeOf<string>();
          expectTypeOf(infer({ messages: [] })).resolves.toHaveProperty('choices');
          return step;
        },
        // @ts-expect-error a score is a number
        wrong: () => 'good',
      },
      callbacks: {
        onLog: event => expectTypeOf(event.step).toEqualTypeOf<number>(),
        onCheckpoint: async ({ step, adapter, infer }) => {
          expectTypeOf(step).toEqualTypeOf<number>();
          expectTypeOf(adapter.jobId).toEqualTypeOf<string>();
          const messages = [{ role: 'user', content: 'hi' }] as const;
          expectTypeOf(infer({ messages: [...messages] })).resolves.toHaveProperty('choices');
          expectTypeOf(infer({ messages: [...messages], stream: true })).toHaveProperty('next');
        },
      },
    });
    expectTypeOf<TrainerResult>().extract<{ status: 'failed' }>().toHaveProperty('error');
    // @ts-expect-error a path is needed
    const wrong: TrainerOptions = { name: 'a', dataset: { type: 'file' } };
    expect(wrong.name).toBe('a');
  });
});
