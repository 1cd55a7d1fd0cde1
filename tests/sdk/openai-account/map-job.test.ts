import { describe, expect, it } from 'vitest';
import { mapJob, suffixOf, toSettings } from '../../../lib/sdk/openai-account/map-job.js';
import { toDataName, toFileName, toLabel } from '../../../lib/sdk/openai-account/names.js';
import { accountJob as jobSchema } from '../../../lib/sdk/openai-account/shapes.js';
import { fileNamesFor, mappingText } from '../../../lib/sdk/openai-account/trainer-source.js';
import { accountJob, GRADER } from '../../support/fake-account.js';

const sample = (fields: object = {}) => jobSchema.parse(accountJob(fields));
const options = (fields: object, more?: object) =>
  Object.fromEntries(
    mapJob(sample(fields), more).mappings.flatMap(({ to }) => (to ? [[to.option, to.value]] : [])),
  );

describe('settings', () => {
  it('are those of the method, or the older ones at the top', () => {
    const top = { n_epochs: 5, batch_size: 2, learning_rate_multiplier: 2 };
    expect(options({ hyperparameters: top, method: undefined })).toEqual({
      epochs: 5,
      batchSize: 2,
      learningRate: 0.0004,
      seed: 7,
    });
    const own = { n_epochs: 1, beta: 0.3 };
    expect(options({ hyperparameters: top, method: { type: 'dpo', dpo: { hyperparameters: own } } })).toEqual(
      {
        epochs: 1,
        batchSize: 2,
        learningRate: 0.0004,
        'method.beta': 0.3,
        seed: 7,
      },
    );
  });

  it('that are automatic or impossible are left to svc, and said', () => {
    const given = { n_epochs: 'auto', batch_size: 0.5, learning_rate_multiplier: -1 };
    const job = sample({ hyperparameters: given, method: null, seed: -3 });
    expect(mapJob(job).mappings.map(mappingText)).toEqual([
      'model gpt-4o-mini-2024-07-18 → not mapped: svc trains the base model of its cloud',
      "n_epochs auto → not mapped: chosen by OpenAI; svc's default is 3",
      "batch_size 0.5 → not mapped: not a value that svc has; svc's default is 8",
      "learning_rate_multiplier -1 → not mapped: not a value that svc has; svc's default is 0.0002",
      "seed -3 → not mapped: outside of svc's seeds; its default is 42",
    ]);
  });

  it('have room for long rows, up to a limit', () => {
    const lengthFor = (longestRow: number) => options({}, { longestRow }).maxLength;
    expect([1536, 1537, 6000, 100_000].map(lengthFor)).toEqual([undefined, 1024, 2048, 4096]);
  });

  it('of other methods are not mapped', () => {
    expect(mapJob(sample({ method: { type: 'of the future' } }))).toMatchObject({
      obstacle: 'svc cannot train by the method of the future',
      mappings: [],
      method: 'of the future',
    });
  });

  it('for reinforcement are those of the method grpo', () => {
    const reinforced = (grader: object, hyperparameters: object = {}) =>
      mapJob(sample({ method: { type: 'reinforcement', reinforcement: { grader, hyperparameters } } }));
    const given = { compute_multiplier: 2, eval_interval: 5, reasoning_effort: 'medium' };
    const { obstacle, mappings } = reinforced(GRADER, given);
    expect(obstacle).toBeNull();
    expect(mappings.map(mappingText)).toEqual(
      expect.arrayContaining([
        'compute_multiplier 2 → method.group 16',
        'eval_interval 5 → evalSteps 5',
        'reasoning_effort medium → not mapped: models of svc have none',
      ]),
    );
    const judge = {
      type: 'score_model',
      name: 'j',
      model: 'o4',
      input: [{ role: 'user', content: 'Rate.' }],
    };
    expect(reinforced(judge).mappings.map(mappingText)).toContain(
      'models of the grader → not mapped: svc asks models of this project: name one of them in grader.json',
    );
  });

  it('for reinforcement need a grader that svc has', () => {
    const obstacle = (grader: unknown) =>
      mapJob(sample({ method: { type: 'reinforcement', reinforcement: { grader } } })).obstacle;
    expect(obstacle(null)).toBe('svc cannot train with its grader: it has none.');
    expect(obstacle({ type: 'python', name: 'p', source: 'def grade(): pass' })).toMatch(
      /^svc cannot train with its grader: /,
    );
    expect(obstacle({ ...GRADER, input: '{{ nowhere.x }}' })).toMatch(/^svc cannot train with its grader: /);
  });

  it('of an imported job have svc’s names where it has them', () => {
    const hyperparameters = {
      n_epochs: 2,
      batch_size: 'auto',
      learning_rate_multiplier: 0.5,
      reasoning_effort: 'low',
      odd: {},
      'a b': 1,
    };
    const job = sample({
      method: { type: 'supervised', supervised: { hyperparameters } },
      hyperparameters: {},
    });
    expect(toSettings(job, mapJob(job))).toEqual({
      numTrainEpochs: 2,
      seed: 7,
      learning_rate_multiplier: 0.5,
      reasoning_effort: 'low',
      trainingMethod: 'supervised',
      trainedTokens: 1234,
    });
  });
});

describe('names', () => {
  it('come from the suffix, the model, or the base model and the ID', () => {
    expect(suffixOf(sample({ user_provided_suffix: null }))).toBe('triage');
    expect(suffixOf(sample({ user_provided_suffix: 'mine' }))).toBe('mine');
    const none = { user_provided_suffix: null, fine_tuned_model: 'ft:gpt-4o:acme::A1' };
    expect(suffixOf(sample(none))).toBeNull();
    expect(mapJob(sample(none)).name).toBe('gpt-4o-mini-2024-07-18 ervised1');
  });

  it('are one line without controls, and file names plain, told apart by their IDs', () => {
    expect(toLabel('a\u001b[31m\n\u2028b\u202e  c')).toBe('a [31m b c');
    expect(Array.from(toLabel('😀'.repeat(200)))).toHaveLength(100);
    expect(toFileName('file-Ab_1')).toBe('file-Ab_1');
    const [one, other] = ['../../a', '../../b'].map(toFileName);
    expect([one, other]).toEqual([
      expect.stringMatching(/^a-[0-9a-f]{8}$/),
      expect.stringMatching(/^b-[0-9a-f]{8}$/),
    ]);
    expect(toDataName('file-1', 'C:\\x\\..\\Händler daten.JSONL', '.jsonl')).toBe(
      'file-1-ha-ndler-daten.jsonl',
    );
    expect(toDataName('file-1', null, '.csv')).toBe('file-1.csv');
  });

  it('of trainers never are the entry of the project', () => {
    const job = { id: 'ftjob-AbC' };
    expect(fileNamesFor(job, 'Über Index')).toEqual(['u-ber-index', 'u-ber-index-abc']);
    expect(fileNamesFor(job, 'index')).toEqual(['openai-abc']);
    expect(fileNamesFor(job, '日本')).toEqual(['openai-abc']);
  });
});
