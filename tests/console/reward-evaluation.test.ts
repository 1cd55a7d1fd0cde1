// An evaluation by rewards, in words: on their own scale, with parts in place of what was expected.
import { expect, it } from 'vitest';
import {
  basisLabel,
  evaluationLine,
  evaluationReport,
  evaluationRowDetail,
  evaluationRowFigures,
  evaluationRowTitles,
  gateView,
  scoreLines,
  verdictText,
} from '../../lib/console/index.js';
import type { Evaluation, EvaluationRow } from '../../lib/contract/index.js';
import { sampleGate, sampleKeptEvaluation } from '../support/sample-evaluation.js';

const score = (name: string, value: number) => ({
  ...{ name, kind: 'reward', value, low: value - 0.25, high: value + 0.25, rows: 40 },
});
const { evaluation: sample } = sampleKeptEvaluation();
const evaluation = {
  ...sample,
  ...{ task: { name: null, kind: 'reward' }, confusion: null },
  scores: [score('reward', 1.5), score('rewardSpread', 0.5), score('reward.brief', 0.75)],
  comparison: {
    ...sample.comparison!,
    scores: [
      {
        ...{
          ...sample.comparison!.scores[0]!,
          score: 'reward',
          kind: 'reward',
          value: 1.5,
          againstValue: -2,
        },
        ...{ difference: 3.5, low: 3, high: 4, verdict: 'better' },
      },
    ],
  },
} as Evaluation;

const row: EvaluationRow = {
  ...{
    row: 7,
    input: '1+1?',
    expected: '',
    answer: '2',
    scores: { reward: 2, 'reward.brief': 0.5, 'reward.right': 1 },
  },
  against: { answer: '3', scores: { reward: -1 } },
};

it('has rewards as they are, and names their parts', () => {
  expect(scoreLines(evaluation).map(({ label, value, interval }) => [label, value, interval])).toEqual([
    ['Reward', '1.5', '1.25 to 1.75'],
    ['Spread of rewards', '0.5', '0.25 to 0.75'],
    ['Reward: brief', '0.75', '0.5 to 1'],
  ]);
  expect(evaluationLine(evaluation, new Date()).score).toBe('Reward 1.5 (1.25 to 1.75)');
  expect(verdictText(evaluation.comparison!.scores[0]!)).toMatch(
    /^Better: Reward \+3\.5 \(95 % interval \+3 to \+4, p/,
  );
});

it('has the parts of a reward beside an answer, or why it has none', () => {
  expect(basisLabel(evaluation)).toBe('Parts');
  expect(basisLabel(sample)).toBe('Expected');
  expect(evaluationRowFigures(row, evaluation)).toMatchObject({
    ...{ basis: 'brief 0.5, right 1', score: '-1 → 2', change: 'better' },
  });
  const failed = { ...row, scores: {}, error: 'It threw.' };
  expect(evaluationRowFigures(failed, evaluation)).toMatchObject({
    basis: 'no reward: It threw.',
    score: '-1 → –',
  });
  expect(evaluationRowTitles(evaluation, 80)).toMatch(/^ Row +Score +Parts +Answer$/);
  const detail = (given: EvaluationRow) =>
    evaluationRowDetail(given, evaluation, 60).map(spans => spans.map(({ text }) => text).join(''));
  expect(detail(row)).toContain('parts: brief 0.5, right 1');
  expect(detail({ ...row, scores: { reward: 1 } }).join()).not.toContain('parts');
  expect(evaluationReport(evaluation, [row])).toContain('| 7 | 1+1? | brief 0.5, right 1 | 3 | 2 | -1 → 2 |');
});

it('has a margin in the unit of the reward', () => {
  const gate = sampleGate({ passed: true, margin: 0.25, checks: [{ check: 'rows', outcome: 'passed' }] });
  expect(gateView({ ...evaluation, gate })!.lines[0]!.text).toMatch(/A loss is shown to be at most 0\.25\.$/);
});
