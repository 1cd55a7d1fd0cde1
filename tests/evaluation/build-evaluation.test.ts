import { describe, expect, it } from 'vitest';
import { evaluationInput } from '../../lib/contract/index.js';
import { buildEvaluation, type RowAnswer, type ScoredTask } from '../../lib/evaluation/index.js';

const subject = { target: { kind: 'base_model', baseModel: 'tiny' }, endpoint: null } as const;
const data = { name: 'rows.jsonl', digest: 'a'.repeat(64), rows: 4 };
const labels: ScoredTask = { kind: 'labels', labels: ['yes', 'no'] };
const rows = ['yes', 'no', 'yes', 'no'].map((expected, index) => ({
  row: index + 1,
  input: `question ${index + 1}`,
  expected,
}));
const answered = (...answers: (string | null)[]): RowAnswer[] =>
  answers.map((answer, index) => ({
    answer,
    ...(answer === null
      ? { error: 'too long' }
      : { latencyMs: 10 * (index + 1), promptTokens: 5, completionTokens: 2 }),
  }));

describe('an evaluation', () => {
  const built = buildEvaluation({
    ...{ data, taskName: 'triage', task: labels, rows },
    candidate: { subject, answers: answered('yes', 'yes', null, 'no') },
    against: { subject, answers: answered('no', 'no', 'yes', 'no') },
  });

  it('is one that the cloud takes', () => {
    expect(evaluationInput.parse(built)).toEqual(built);
  });

  it('has scores, the matrix, the cost and what failed', () => {
    expect(built).toMatchObject({
      task: { name: 'triage', kind: 'labels' },
      scores: [
        { name: 'accuracy', value: 0.5, rows: 4 },
        { name: 'macroF1', rows: 4 },
        { name: 'valid', value: 0.75 },
      ],
      confusion: {
        labels: ['yes', 'no'],
        counts: [
          [1, 0, 1],
          [1, 1, 0],
        ],
      },
      cost: { latencyMs: { median: 20, p95: 40 }, promptTokens: 15, completionTokens: 6 },
      failed: 1,
    });
  });

  it('is compared in each score of a row, and has what changed worst first', () => {
    expect(built.comparison?.scores.map(({ score }) => score)).toEqual(['accuracy', 'valid']);
    expect(built.comparison).toMatchObject({
      scores: [
        { difference: -0.25, verdict: 'no_difference_found', changed: { better: 1, worse: 2, same: 1 } },
        {},
      ],
      cost: { promptTokens: 20 },
    });
    expect(built.rows.map(({ row }) => row)).toEqual([2, 3, 4, 1]);
    expect(built.rows[1]).toMatchObject({ answer: null, error: 'too long', against: { answer: 'yes' } });
  });

  it('puts the score that decides first', () => {
    const { scores, comparison } = buildEvaluation({
      ...{ data, taskName: null, task: labels, rows, score: 'valid' },
      candidate: { subject, answers: answered('yes', 'yes', 'x', 'no') },
      against: { subject, answers: answered('no', 'no', 'yes', 'no') },
    });
    expect(scores.map(({ name }) => name)).toEqual(['valid', 'accuracy', 'macroF1']);
    expect(comparison?.scores.map(({ score }) => score)).toEqual(['valid', 'accuracy']);
  });

  it('is not compared by another score than the one that decides', () => {
    const { comparison, rows: kept } = buildEvaluation({
      ...{ data, taskName: null, rows: [{ row: 1, input: 'a', expected: '{"n": 1}' }] },
      task: { kind: 'fields', fields: [{ name: 'n', type: 'number' }] },
      score: 'distance.n',
      candidate: { subject, answers: [{ answer: '{"n": "x"}' }] },
      against: { subject, answers: [{ answer: '{"n": 1}' }] },
    });
    expect(comparison).toBeUndefined();
    expect(kept[0]!.against!.answer).toBe('{"n": 1}');
  });

  it('leaves out a matrix of more labels than are drawn', () => {
    const many = {
      kind: 'labels',
      labels: Array.from({ length: 51 }, (_, label) => `label ${label}`),
    } as const;
    const { confusion } = buildEvaluation({
      ...{ data, taskName: null, task: many, rows: rows.slice(0, 1) },
      candidate: { subject, answers: answered('label 1') },
    });
    expect(confusion).toBeUndefined();
  });
});

describe('the kept rows', () => {
  const texts = { kind: 'text' } as const;

  it('are the 1,000 worst', () => {
    const many = Array.from({ length: 1200 }, (_, index) => ({ row: index + 1, input: 'a', expected: 'b' }));
    const answers = many.map(({ row }) => ({ answer: row <= 300 ? 'b' : 'c' }));
    const { rows: kept } = buildEvaluation({
      ...{ data, taskName: null, task: texts, rows: many },
      candidate: { subject, answers },
    });
    expect(kept).toHaveLength(1000);
    expect(kept.slice(0, 900).every(({ answer }) => answer === 'c')).toBe(true);
  });

  it('have their texts cut where a request has no room for them, at whole characters', () => {
    const long = '😀'.repeat(9000);
    const many = Array.from({ length: 400 }, (_, index) => ({ row: index + 1, input: long, expected: long }));
    const built = buildEvaluation({
      ...{ data, taskName: null, task: texts, rows: many },
      candidate: { subject, answers: many.map(() => ({ answer: long })) },
    });
    const text = JSON.stringify(built);
    expect(new TextEncoder().encode(text).length).toBeLessThan(4 * 1024 ** 2);
    expect(text).not.toMatch(/\\ud83d/i);
    expect(built.rows).toHaveLength(400);
    expect(built.scores[0]!.value).toBe(1);
  });
});
