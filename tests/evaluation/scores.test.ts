import { describe, expect, it } from 'vitest';
import {
  createScorer,
  inferTask,
  labelF1,
  macroF1,
  type ScoredTask,
  summarizeScores,
} from '../../lib/evaluation/index.js';
import { bootstrapInterval, meanInterval, wilsonInterval } from '../../lib/evaluation/intervals.js';
import type { Call } from '../../lib/tool-calls/index.js';

const infer = (expected: readonly string[]) => inferTask(expected.map(text => ({ expected: text })));

describe('a text', () => {
  const { names, score } = createScorer({ kind: 'text' });

  it('is exact if only white space and Unicode forms differ', () => {
    expect(score('Très bien,  merci.', ' Tre\u0300s bien, merci.\n')).toEqual({ f1: 1, exact: 1 });
    expect(score('No', 'no')).toEqual({ f1: 1, exact: 0 });
    expect(names.map(({ name }) => name)).toEqual(['f1', 'exact']);
  });

  it('shares words in any order, without punctuation', () => {
    expect(score('the red car', 'car, the blue!').f1).toBeCloseTo(2 / 3, 10);
    expect(score('a a b', 'a b b').f1).toBeCloseTo(2 / 3, 10);
    expect(score('yes', '')).toEqual({ f1: 0, exact: 0 });
    expect(score('', '')).toEqual({ f1: 1, exact: 1 });
    expect(score('yes', null)).toEqual({ f1: 0, exact: 0 });
    expect(score('', null)).toMatchObject({ exact: 0 });
  });

  it('shares characters where there are no spaces', () => {
    expect(score('東京都', '東京').f1).toBeCloseTo(0.8, 10);
  });

  it('is exact as JSON whatever the order of keys', () => {
    expect(score('{"a": 1, "b": [1, 2]}', '{"b":[1,2],"a":1.0}').exact).toBe(1);
    expect(score('{"a": [1, 2]}', '{"a": [2, 1]}').exact).toBe(0);
    expect(score('1', '1.0').exact).toBe(0);
  });
});

describe('labels', () => {
  const labels = ['billing', 'delivery', 'other'];
  const scorer = createScorer({ kind: 'labels', labels });

  it('are right or wrong, and valid or not', () => {
    expect(scorer.score('billing', ' billing\n')).toEqual({ accuracy: 1, valid: 1 });
    expect(scorer.score('billing', '"billing"')).toEqual({ accuracy: 1, valid: 1 });
    expect(scorer.score('billing', 'other')).toEqual({ accuracy: 0, valid: 1 });
    expect(scorer.score('billing', 'I think billing')).toEqual({ accuracy: 0, valid: 0 });
    expect(scorer.score('billing', null)).toEqual({ accuracy: 0, valid: 0 });
  });

  it('have a matrix, and the mean F1 of those that occur', () => {
    const rows = (
      [
        ['billing', 'billing'],
        ['billing', 'delivery'],
        ['delivery', 'delivery'],
        ['delivery', 'nonsense'],
      ] as const
    ).map(([expected, answer]) => ({ expected, answer, scores: scorer.score(expected, answer) }));
    const { scores, confusion } = summarizeScores(scorer, rows);
    expect(confusion!.counts).toEqual([
      [1, 1, 0, 0],
      [0, 1, 0, 1],
      [0, 0, 0, 0],
    ]);
    expect(labelF1(confusion!)).toEqual([2 / 3, 0.5, null]);
    expect(macroF1(confusion!)).toBeCloseTo(7 / 12, 10);
    expect(scores.map(({ name }) => name)).toEqual(['accuracy', 'macroF1', 'valid']);
    expect(scores[0]).toMatchObject({ kind: 'share', value: 0.5, rows: 4 });
    expect(scores[1]!.low).toBeLessThan(scores[1]!.value);
  });

  it('are recognized in rows by few short answers that repeat', () => {
    const expected = [...'ab'.repeat(6)].map(letter => (letter === 'a' ? 'yes' : 'no'));
    expect(infer(expected)).toEqual({ kind: 'labels', labels: ['no', 'yes'] });
    expect(infer(['yes', 'yes', 'yes', 'yes'])).toEqual({ kind: 'text' });
    expect(infer(['a', 'b', 'a', 'b'])).toEqual({ kind: 'text' });
    expect(infer(expected.map(text => `${text}\nBecause.`))).toEqual({ kind: 'text' });
    expect(infer(Array.from({ length: 900 }, (_, row) => `label ${row % 30}`))).toEqual({ kind: 'text' });
    expect(infer([])).toEqual({ kind: 'text' });
  });
});

describe('fields', () => {
  const output = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      amount: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['name', 'amount'],
    additionalProperties: false,
  };
  const fields: ScoredTask['fields'] = [
    { name: 'name', type: 'text' },
    { name: 'amount', type: 'number' },
    { name: 'tags', type: 'list' },
  ];
  const scorer = createScorer({ kind: 'fields', output, fields });
  const expected = JSON.stringify({ name: 'Ann', amount: 12, tags: ['a', 'b'] });

  it('are scored each, with how far numbers are off', () => {
    const answer = JSON.stringify({ tags: ['b', 'c'], amount: 10, name: ' Ann' });
    expect(scorer.score(expected, answer)).toEqual({
      f1: 0.5,
      exact: 0,
      valid: 1,
      'field.name': 1,
      'field.amount': 0,
      'field.tags': 0.5,
      'distance.amount': 2,
    });
  });

  it('are all right in an equal value', () => {
    expect(scorer.score(expected, expected.replaceAll(',', ' , '))).toMatchObject({ f1: 1, exact: 1 });
  });

  it('are all wrong without an object, and have no distance', () => {
    for (const answer of ['Ann, 12', '[1]', 'null', null]) {
      const scores = scorer.score(expected, answer);
      expect(scores).toMatchObject({ f1: 0, exact: 0, valid: 0, 'field.name': 0 });
      expect(scores).not.toHaveProperty('distance.amount');
    }
  });

  it('are compared as texts where prose is expected', () => {
    const prose = 'I cannot read the amount.';
    expect(scorer.score(prose, null)).toMatchObject({ f1: 0, exact: 0 });
    expect(scorer.score(prose, 'Something else entirely')).toMatchObject({ f1: 0, exact: 0 });
    expect(scorer.score(prose, expected)).toMatchObject({ exact: 0 });
    expect(scorer.score(prose, ' I cannot read  the amount.')).toMatchObject({ f1: 1, exact: 1 });
  });

  it('may be missing in both', () => {
    const short = '{"name": "Ann", "amount": 12}';
    expect(scorer.score(short, short)).toMatchObject({ 'field.tags': 1, exact: 1 });
    expect(scorer.score(short, expected)).toMatchObject({ 'field.tags': 0, exact: 0 });
    expect(scorer.score(short, 'x')).toMatchObject({ 'field.tags': 0 });
  });

  it('are valid only if they fit the schema', () => {
    expect(scorer.score(expected, '{"name": "Ann"}').valid).toBe(0);
    expect(scorer.score(expected, '{"name": "Ann", "amount": 1, "more": 2}').valid).toBe(0);
    expect(scorer.score(expected, '```json\n{"name": "Ann", "amount": 1}\n```').valid).toBe(1);
  });

  it('have no score of validity with a schema that cannot be checked', () => {
    const odd = createScorer({ kind: 'fields', output: { not: { type: 'string' }, if: {} }, fields });
    expect(odd.names.map(({ name }) => name)).not.toContain('valid');
  });
});

it('rows whose answers are all objects have fields', () => {
  expect(infer(['{"a": 1, "b": "x"}', '{"a": 2, "b": ["x"], "c": null}'])).toEqual({
    kind: 'fields',
    fields: [
      { name: 'a', type: 'number' },
      { name: 'b', type: 'any' },
      { name: 'c', type: 'any' },
    ],
  });
  expect(infer(['{"a": 1}', 'none'])).toEqual({ kind: 'text' });
  expect(infer(['{"a": 1}', '{"a": '])).toEqual({ kind: 'text' });
});

describe('calls', () => {
  const { names, score } = createScorer({ kind: 'calls' });
  const tools = [
    { function: { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } } } },
    { function: { name: 'stop' } },
  ];
  const add = (given: object) => ({ name: 'add', arguments: given });
  const stop = { name: 'stop', arguments: {} };
  const rate = (expected: Call[], answered: Call[], text = '') =>
    score('', text, { expected, answered, tools });

  it('are right with the right functions and arguments, in any order', () => {
    expect(names.map(({ name }) => name)).toEqual(['calls', 'functions', 'arguments', 'valid', 'f1']);
    const right = { calls: 1, functions: 1, arguments: 1, valid: 1 };
    expect(rate([add({ a: 1, b: 'x' })], [add({ b: ' x', a: 1.0 })])).toEqual(right);
    expect(rate([add({ a: 1 }), stop], [stop, add({ a: 1 })])).toEqual(right);
  });

  it('have a share of their arguments right', () => {
    expect(rate([add({ a: 1 })], [add({ a: 2 })])).toEqual({
      calls: 0,
      functions: 1,
      arguments: 0,
      valid: 1,
    });
    expect(rate([stop], [add({ a: 1 })])).toEqual({ calls: 0, functions: 0, arguments: 0, valid: 1 });
    expect(rate([stop, stop], [stop])).toMatchObject({ calls: 0, functions: 0, arguments: 2 / 3 });
    expect(rate([add({ a: 1, b: 2 })], [add({ a: 1, b: 3 })])).toMatchObject({ arguments: 0.5 });
    expect(rate([stop], [])).toEqual({ calls: 0, functions: 0, arguments: 0 });
  });

  it('are valid if they fit the tools', () => {
    expect(rate([stop], [add({ a: 'one' })]).valid).toBe(0);
    expect(rate([stop], [{ name: 'add', arguments: undefined }]).valid).toBe(0);
    expect(rate([stop], [{ name: 'shout', arguments: {} }]).valid).toBe(0);
  });

  it('are wrong where a text is expected, which has its words compared', () => {
    const text = (answer: string | null, answered: Call[] = []) =>
      score('all is well', answer, { expected: [], answered, tools });
    expect(text('All is well.')).toEqual({ calls: 1, functions: 1, f1: 1 });
    expect(text('', [stop])).toEqual({ calls: 0, functions: 0, f1: 0, valid: 1 });
    expect(text(null)).toEqual({ calls: 0, functions: 0, f1: 0 });
  });

  it('are what rows that offer functions are scored by', () => {
    expect(inferTask([{ expected: 'yes' }, { expected: '', calls: { expected: [], tools } }])).toEqual({
      kind: 'calls',
    });
  });
});

describe('an interval', () => {
  it('of a share is Wilson’s', () => {
    expect(wilsonInterval(15, 20)).toEqual({
      low: expect.closeTo(0.5313, 4),
      high: expect.closeTo(0.8881, 4),
    });
    expect(wilsonInterval(0, 10)).toEqual({ low: 0, high: expect.closeTo(0.2775, 4) });
    expect(wilsonInterval(10, 10)).toEqual({ low: expect.closeTo(0.7225, 4), high: 1 });
  });

  it('of a mean is resampled, the same each time, and about two standard errors wide', () => {
    const values = Array.from({ length: 200 }, (_, row) => (row % 10) / 10);
    const { low, high } = meanInterval(values);
    expect(meanInterval(values)).toEqual({ low, high });
    expect(high - low).toBeGreaterThan(0.07);
    expect(high - low).toBeLessThan(0.09);
    expect((low + high) / 2).toBeCloseTo(0.45, 2);
  });

  it('holds the true mean in about 95 % of samples', () => {
    let held = 0;
    for (let sample = 0; sample < 100; sample++) {
      const values = Array.from(
        { length: 60 },
        (_, row) => Math.abs(Math.sin((sample * 60 + row) * 12.9898)) ** 2,
      );
      const { low, high } = meanInterval(values);
      if (low <= 0.5 && 0.5 <= high) held++;
    }
    expect(held).toBeGreaterThanOrEqual(88);
  });

  it('resamples rows with repetition', () => {
    const seen = new Set<number>();
    bootstrapInterval(5, resample => {
      seen.add(new Set(resample).size);
      return 0;
    });
    expect(Math.min(...seen)).toBeLessThan(3);
  });
});
