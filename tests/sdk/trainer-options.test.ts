import { describe, expect, expectTypeOf, it } from 'vitest';
import { jobInput, parseRequest } from '../../lib/contract/index.js';
import { optionsByField } from '../../lib/contract/job/training-options.js';
import {
  createService,
  createTrainer,
  type DatasetInput,
  distil,
  type MapRow,
  type TrainerCallbacks,
  type TrainerOptions,
  type TrainerResult,
} from '../../lib/sdk/index.js';
import { toJobInput } from '../../lib/sdk/trainer/job-input.js';
import type { Eval } from '../../lib/sdk/trainer/options.js';

const dataset = { type: 'file', path: 'data/train.jsonl' } as const;
const least: TrainerOptions = { name: 'triage', dataset };
const upload = { datasetSource: { type: 'upload', datasetId: 'd1' } } as const;

describe('the options of a trainer', () => {
  it('become a job input of the contract, without defaults for missing options', () => {
    expect(toJobInput(least, 'svc/tiny', upload)).toEqual({
      name: 'triage',
      config: { model: 'svc/tiny', ...upload },
    });
    const pace = { maxSteps: 100, epochs: 2, loggingSteps: 1, saveSteps: 10, evalSteps: 10, warmupSteps: 5 };
    const given = toJobInput(
      {
        ...least,
        ...pace,
        evalFraction: 0.1,
        method: { type: 'sft' },
        lora: { r: 8, alpha: 16, dropout: 0.1, targetModules: ['q_proj'] },
        maxLength: 256,
        tooLong: 'error',
        learningRate: 1e-3,
        batchSize: 4,
        gradientAccumulationSteps: 2,
        lrScheduler: 'cosine',
        weightDecay: 0.01,
        maxGradNorm: 0.5,
        softWeight: 0.5,
        keepOptimizer: true,
        replay: 0.25,
        resources: { gpus: 1 },
        engine: 'node',
        trainOnResponsesOnly: false,
        enableThinking: false,
        seed: 7,
        dryRun: true,
        evals: { accuracy: () => 1 },
        bestBy: { score: 'accuracy', higher: true },
      },
      'svc/tiny',
      { ...upload, from: { jobId: '3f2a0000-0000-4000-8000-000000000000', kind: 'final' } },
    );
    expect(parseRequest(jobInput, given)).toEqual(given);
    const missing = [...optionsByField.keys()].filter(name => !(name in given.config));
    expect(missing).toEqual([]);
  });

  const map = () => null;
  const dpo = { method: { type: 'dpo' } };
  const grpo = { method: { type: 'grpo', reward: () => 1 } };
  const distilled = distil({ teacher: { baseURL: 'http://127.0.0.1:1/v1', model: 'x' }, prompts: ['a'] });

  it.each<[message: string, changes: object | undefined]>([
    ['unknown option `learnRate`', { learnRate: 1 }],
    ['unknown option `lora.rank`', { lora: { rank: 8 } }],
    ['`lora` must be an object', { lora: 8 }],
    ['unknown option `callbacks.onStep`', { callbacks: { onStep() {} } }],
    ['`callbacks.onLog` must be a function', { callbacks: { onLog: 5 } }],
    ['`abortSignal` must be an AbortSignal', { abortSignal: new AbortController() }],
    ['unknown option `dataset.colums`', { dataset: { type: 'file', path: 'a.jsonl', colums: {} } }],
    ['unknown option `evalDataset.split`', { evalDataset: { type: 'rows', rows: [], split: 'test' } }],
    ['`evals.a` must be a function', { evals: { a: 1 } }],
    ['`evals[0]`', { evals: { ['a'.repeat(41)]: () => 1 } }],
    ['`bestBy` must name one of `evals`, and there is no `b`', { evals: { a: () => 1 }, bestBy: 'b' }],
    ['`tooLong`', { tooLong: 'cut' }],
    ['`method.type` is missing or has an unknown value', { method: { type: 'ppo' } }],
    ['`method.beta` must be more than 0', { method: { type: 'dpo', beta: 0 } }],
    ['`method.beta` is not a known field', { method: { type: 'sft', beta: 1 } }],
    ['`trainOnResponsesOnly` must not be false with the method dpo', { ...dpo, trainOnResponsesOnly: false }],
    [
      '`dataset` of `distil` cannot be used with the method dpo, whose rows have two answers.',
      { ...dpo, dataset: distilled },
    ],
    [
      '`evalDataset` of `distil` cannot be used with the method grpo, whose rows are prompts without answers.',
      { ...grpo, evalDataset: distilled },
    ],
    ['`from` must be `latest`, the ID of a job', { from: {} }],
    ['`from` must be `latest`', { from: { job: 'a', step: -1 } }],
    ['`from` must be `latest`', { from: { kind: 'final', jobId: 'a' } }],
    ['`keepOptimizer` must not be true without `from`', { keepOptimizer: true }],
    ['`replay` must be 0 without `from`', { replay: 0.1 }],
    ['`keepOptimizer` must not be true with the method dpo', { ...dpo, from: 'latest', keepOptimizer: true }],
    ['`engine` must be node with `keepOptimizer`', { from: 'latest', keepOptimizer: true, engine: 'torch' }],
    ['`dataset` is required', { dataset: undefined }],
    ['`dataset.type` must be one of file, rows', { dataset: { type: '__proto__' } }],
    ['`dataset.path` is required', { dataset: { type: 'file' } }],
    ['`maxSteps` must be at most', { maxSteps: 2 ** 53 }],
    ['`maxGradNorm` must be more than 0', { maxGradNorm: 0 }],
    ['`name` must have at least 1 character', { name: ' ' }],
    ['`lora.r` must be at least 1', { lora: { r: 0 } }],
    ['`lrScheduler` must be one of', { lrScheduler: 'up' }],
    ['`lora.targetModules[0]` must be one of', { lora: { targetModules: ['x'] } }],
    ['`evalFraction` cannot be used together', { evalDataset: dataset, evalFraction: 0.1 }],
    ['`dataset.map` must be a function', { dataset: { ...dataset, map: 'x' } }],
    ['`dataset.map` is for files, the Hub and URLs', { dataset: { type: 'rows', rows: [], map } }],
    [
      '`dataset.columns` is for files, the Hub and URLs; rename',
      { dataset: { type: 'rows', rows: [], columns: { text: 'a' } } },
    ],
    ['`dataset.rows` must be a list of rows.', { dataset: { type: 'rows', rows: 'x' } }],
    ['`dataset.rows` must be a list of rows.', { dataset: { type: 'rows', rows: new Set([{ text: 'a' }]) } }],
    ['`evalDataset.path` must be a text.', { evalDataset: { type: 'file', path: 5 } }],
    ['`dataset.name` must be a text.', { dataset: { type: 'huggingface', name: null } }],
    ['`dataset.url` must be a text.', { dataset: { type: 'blob', url: new URL('https://example.com/a') } }],
    [
      '`evalDataset.map` and `evalDataset.columns` cannot be used together',
      { evalDataset: { ...dataset, map, columns: { text: 'a' } } },
    ],
    ['pass an object with options', undefined],
  ])('are validated by createTrainer: %s', (message, changes) => {
    const create = () => createTrainer((changes && { ...least, ...changes }) as TrainerOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });
});

it('a service accepts one trainer and nothing else', () => {
  const trainer = createTrainer(least);
  expect(createService({ trainer }).trainer).toBe(trainer);
  expect(createService().trainer).toBeNull();
  // @ts-expect-error not several
  expect(() => createService({ trainer: [trainer] })).toThrow('must be a single trainer');
  // @ts-expect-error nor a second one under another name
  expect(() => createService({ trainer, evaluator: trainer })).toThrow('unknown option `evaluator`');
  // @ts-expect-error nor a second service
  expect(() => createService({ trainer }, { trainer })).toThrow(TypeError);
  // @ts-expect-error nor nothing
  expect(() => createService(null)).toThrow('createService: pass an object with options.');
});

it('the types describe what a map returns, and the arguments and results of callbacks', () => {
  const of = (map: MapRow) => createTrainer({ ...least, dataset: { ...dataset, map } });
  of(async row => (row.isBad ? null : { messages: [row.question.trim()] }));
  of(() => undefined);
  // @ts-expect-error a text is no row
  of(() => 'text');
  // @ts-expect-error rows are mapped before
  expect<DatasetInput>({ type: 'rows', rows: [], map: () => null }).toBeDefined();
  // @ts-expect-error a path is needed
  expect<DatasetInput>({ type: 'file' }).toBeDefined();
  expectTypeOf<DatasetInput>().extract<{ type: 'blob' }>().toHaveProperty('map');
  expectTypeOf<TrainerResult>().extract<{ status: 'failed' }>().toHaveProperty('error');
  const right: Eval = async ({ step, adapter, infer }) => {
    expectTypeOf(adapter.jobId).toEqualTypeOf<string>();
    expectTypeOf(infer({ messages: [] })).resolves.toHaveProperty('choices');
    return step;
  };
  const onCheckpoint: TrainerCallbacks['onCheckpoint'] = ({ step, adapter, infer }) => {
    expectTypeOf({ step, jobId: adapter.jobId }).toEqualTypeOf<{ step: number; jobId: string }>();
    expectTypeOf(infer({ messages: [] })).resolves.toHaveProperty('choices');
    expectTypeOf(infer({ messages: [], stream: true })).toHaveProperty('next');
  };
  createTrainer({ ...least, evals: { right }, callbacks: { onCheckpoint } });
  // @ts-expect-error a score is a number
  createTrainer({ ...least, evals: { wrong: () => 'good' } });
});
