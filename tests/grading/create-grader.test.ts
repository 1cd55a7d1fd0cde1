import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Grader, grader, parseRequest } from '../../lib/contract/index.js';
import { type AskJudge, createGrader, findGraderFault, type JudgeQuestion } from '../../lib/grading/index.js';

const read = (given: object) => parseRequest(z.object({ grader }), { grader: given }).grader;
const nobody: AskJudge = () => Promise.reject(new Error('it is not there'));
const usage = { promptTokens: 10, completionTokens: 5 };

const grade = (given: object, text: string, item: unknown = {}, ask = nobody) =>
  createGrader(read(given), { ask }).grade({ item, sample: { text } });

const check = (operation: string, reference = '{{ item.answer }}', input = '{{ sample.output_text }}') => ({
  type: 'string_check',
  name: 'check',
  operation,
  input,
  reference,
});

describe('string_check', () => {
  it.each([
    ['eq', 'Paris', 1],
    ['eq', 'paris', 0],
    ['ne', 'paris', 1],
    ['ne', 'Paris', 0],
    ['like', 'It is Paris.', 1],
    ['like', 'It is paris.', 0],
    ['ilike', 'IT IS PARIS.', 1],
    ['ilike', 'Par', 0],
  ])('%s of %s is %d', async (operation, text, reward) => {
    const graded = await grade(check(operation), text, { answer: 'Paris' });
    expect(graded).toEqual({ reward, parts: {}, faults: [], asked: [] });
  });

  it('has no patterns: a percent sign is a percent sign', async () => {
    expect(await grade(check('like', '%a_'), 'xay')).toMatchObject({ reward: 0 });
    expect(await grade(check('like', '%a_'), '5%a_')).toMatchObject({ reward: 1 });
  });
});

describe('an answer that cannot be read', () => {
  it('has the reward 0, and says why', async () => {
    const graded = await grade(check('eq', 'Ann', '{{ sample.output_json.name }}'), 'Ann');
    const faults = [{ code: 'sample_parse_error', message: 'The answer is not JSON.' }];
    expect(graded).toMatchObject({ reward: 0, faults });
  });

  it('is not blamed for what its row lacks', async () => {
    const graded = await grade(check('eq', '{{ item.result }}'), 'x');
    expect(graded).toMatchObject({
      error: 'The row has no item.result.',
      faults: [{ code: 'invalid_variable_error' }],
    });
    expect(graded).not.toHaveProperty('reward');
  });
});

const judge = {
  type: 'score_model',
  name: 'judge',
  model: 'base',
  range: [0, 10],
  input: [
    { role: 'system', content: 'Grade.' },
    {
      role: 'user',
      content: [{ type: 'input_text', text: 'Right: {{ item.answer }}' }, 'Given: {{ sample.output_text }}'],
    },
  ],
  sampling_params: { temperature: 0, seed: 3 },
};

const answering = (text: string, asked: JudgeQuestion[] = []): AskJudge => {
  return async question => {
    asked.push(question);
    return { text, model: 'base-1', usage };
  };
};

describe('score_model', () => {
  it('asks the model for reasons and a number in the range', async () => {
    const asked: JudgeQuestion[] = [];
    const graded = await grade(
      judge,
      'Lyon',
      { answer: 'Paris' },
      answering('{"steps": [], "result": 7.5}', asked),
    );
    expect(graded).toEqual({
      reward: 7.5,
      parts: {},
      faults: [],
      asked: [{ model: 'base-1', usage }],
    });
    expect(asked).toMatchObject([
      {
        model: 'base',
        messages: [
          { role: 'system', content: 'Grade.' },
          { role: 'user', content: 'Right: Paris\nGiven: Lyon' },
        ],
        sampling: { temperature: 0, seed: 3 },
        schema: { properties: { result: { type: 'number', minimum: 0, maximum: 10 } } },
      },
    ]);
  });

  it('clamps a score to the range', async () => {
    expect(await grade(judge, '', { answer: '' }, answering('{"result": 11}'))).toMatchObject({ reward: 10 });
    expect(await grade(judge, '', { answer: '' }, answering('{"result": -1}'))).toMatchObject({ reward: 0 });
  });

  it.each([
    ['{"result": "good"}', 'model_grader_parse_error'],
    ['{"result": null}', 'model_grader_parse_error'],
    ['null', 'model_grader_parse_error'],
    ['7', 'model_grader_parse_error'],
    ['{"steps": [', 'model_grader_parse_error'],
    ['  ', 'model_grader_refusal_error'],
  ])('has no reward for the answer %s', async (text, code) => {
    const graded = await grade(judge, 'x', { answer: '' }, answering(text));
    expect(graded).toMatchObject({ error: expect.any(String), faults: [{ code }], asked: [{ usage }] });
  });

  it('has no reward if the model cannot be asked', async () => {
    const graded = await grade(judge, 'x', { answer: '' });
    const error = 'base could not be asked: it is not there';
    expect(graded).toMatchObject({ error, faults: [{ code: 'model_grader_server_error' }] });
  });

  it('asks nothing about an answer that it cannot show', async () => {
    const asked: JudgeQuestion[] = [];
    const shown = { ...judge, input: [{ role: 'user', content: '{{ sample.output_json.a }}' }] };
    const graded = await grade(shown, 'x', {}, answering('{"result": 1}', asked));
    expect(graded).toMatchObject({ reward: 0 });
    expect(asked).toEqual([]);
  });

  it('rejects when nobody waits for it anymore', async () => {
    const { grade: gradeOne } = createGrader(read(judge), { ask: nobody });
    const signal = AbortSignal.abort(new Error('left'));
    await expect(gradeOne({ item: { answer: '' }, sample: { text: '' } }, signal)).rejects.toThrow('left');
  });
});

describe('label_model', () => {
  const labeler = {
    type: 'label_model',
    name: 'label',
    model: 'base',
    labels: ['good', 'bad'],
    passing_labels: ['good'],
    input: [{ role: 'user', content: '{{ sample.output_text }}' }],
  };

  it('gives 1 for labels that pass, 0 for others, and nothing for texts that are not labels', async () => {
    const asked: JudgeQuestion[] = [];
    expect(await grade(labeler, 'x', {}, answering('{"result": "good"}', asked))).toMatchObject({
      reward: 1,
    });
    expect(await grade(labeler, 'x', {}, answering('{"result": "bad"}'))).toMatchObject({ reward: 0 });
    expect(await grade(labeler, 'x', {}, answering('{"result": "fine"}'))).toHaveProperty('error');
    expect(asked[0]?.schema).toMatchObject({ properties: { result: { enum: ['good', 'bad'] } } });
  });
});

const multi = (graders: object, formula: string) => ({
  type: 'multi',
  name: 'both',
  graders,
  calculate_output: formula,
});

describe('multi', () => {
  const fields = {
    name: {
      type: 'text_similarity',
      name: 'name_grader',
      evaluation_metric: 'fuzzy_match',
      pass_threshold: 0.9,
      input: '{{sample.output_json.name}}',
      reference: '{{item.name}}',
    },
    email: check('eq', '{{item.email}}', '{{sample.output_json.email}}'),
  };
  const row = { name: 'John Doe', email: 'john@example.com' };

  it('calculates its reward from those of its graders, which it names', async () => {
    const text = JSON.stringify({ name: 'John Do', email: row.email });
    const graded = await grade(multi(fields, '(name + email) / 2'), text, row);
    expect(graded).toMatchObject({ parts: { name: 14 / 15, email: 1 }, reward: (14 / 15 + 1) / 2 });
  });

  it('counts 0 for a part that the answer lacks', async () => {
    const graded = await grade(multi(fields, '(name + email) / 2'), '{"name": "John Doe"}', row);
    expect(graded).toMatchObject({ reward: 0.5, parts: { name: 1, email: 0 } });
    expect(graded.faults).toEqual([
      { code: 'sample_parse_error', message: 'The answer has no sample.output_json.email.' },
    ]);
  });

  it('fails with a part that fails', async () => {
    const graded = await grade(multi({ judge, exact: check('eq', 'x') }, 'judge + exact'), 'x', {
      answer: '',
    });
    expect(graded).toMatchObject({ error: 'judge: base could not be asked: it is not there' });
  });

  it('has no reward where the formula has none', async () => {
    const graded = await grade(multi({ a: check('eq', 'x') }, '1 / (a - 1)'), 'x');
    expect(graded).toMatchObject({ error: 'The formula gives Infinity for {"a":1}.' });
  });
});

describe('a grader that cannot be', () => {
  const refusal = (given: object) => {
    try {
      return findGraderFault(read(given));
    } catch (error) {
      const { code, message, param } = error as { code: string; message: string; param: string };
      return { code, message, param };
    }
  };

  it.each([
    [{ type: 'python', name: 'x', source: '' }, 'unsupported_parameter', 'cannot be a `python` grader'],
    [
      { ...check('eq'), type: 'text_similarity', evaluation_metric: 'meteor' },
      'unsupported_parameter',
      '`grader.evaluation_metric` cannot be `meteor` here: it needs WordNet.',
    ],
    [
      { ...check('eq'), type: 'text_similarity', evaluation_metric: 'cosine' },
      'unsupported_parameter',
      '`grader.evaluation_metric` cannot be `cosine` here: it needs an embedding model.',
    ],
    [
      { ...check('eq'), type: 'text_similarity', evaluation_metric: 'words' },
      'invalid_value',
      'must be one of `fuzzy_match`',
    ],
    [multi({ a: { type: 'python', name: 'x', source: '' } }, 'a'), 'unsupported_parameter', 'graders.a'],
    [multi({ a: multi({ b: check('eq') }, 'b') }, 'a'), 'invalid_value', '`grader.graders.a.type`'],
    [multi({}, '1'), 'invalid_value', 'must have at least one grader'],
    [multi({ 'a-b': check('eq') }, '1'), 'invalid_value', 'must be named with letters'],
    [{ ...judge, range: [1, 1] }, 'invalid_value', 'must have the lower bound first'],
    [
      { ...judge, sampling_params: { stop: ['.'] } },
      'unsupported_parameter',
      '`grader.sampling_params.stop` is not supported for a grader; leave it out.',
    ],
    [{ ...judge, input: [] }, 'invalid_value', 'at least 1 entry'],
    [multi({ a: check('eq') }, 'a +'), 'formula_parse_error', 'expected a number or a name at the end'],
    [multi({ a: check('eq') }, 'b'), 'invalid_variable_error', 'not among its graders: a'],
    [check('eq', '{{ row.x }}'), 'invalid_variable_error', '{{ row.x }} names nothing'],
  ])('%j', (given, code, message) => {
    expect(refusal(given)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.each(['apiKey', 'api_key', 'baseURL', 'base_url'])('names a server: %s', field => {
    const given = { ...judge, [field]: 'https://sk-hidden.example' };
    const graders = [
      given,
      { ...check('eq'), [field]: 'sk-hidden' },
      { ...multi({ a: judge }, 'a'), [field]: 'sk-hidden' },
    ];
    for (const one of graders)
      expect(refusal(one)).toMatchObject({ code: 'unsupported_parameter', param: `grader.${field}` });
    const inPart = refusal(multi({ a: given }, 'a'));
    expect(inPart).toMatchObject({ param: `grader.graders.a.${field}` });
    expect(JSON.stringify(inPart)).not.toContain('sk-hidden');
  });

  it('is accepted with fields that svc does not use', () => {
    expect(refusal({ ...check('eq'), pass_threshold: 0.5 })).toBeNull();
    const one: Grader = read({ ...check('eq'), pass_threshold: 0.5 });
    expect(one).toHaveProperty('pass_threshold', 0.5);
  });
});
