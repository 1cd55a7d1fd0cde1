// What a gate says: its checks with their reasons, what became of it, and a report for a pull request.
import { describe, expect, it } from 'vitest';
import {
  evaluationCells,
  evaluationLine,
  evaluationList,
  evaluationSummary,
  evaluationTitle,
  evaluationTitles,
  gateView,
  shippingReport,
  shippingText,
} from '../../lib/console/index.js';
import type { Target } from '../../lib/contract/index.js';
import { sampleEvaluationRows, sampleGate, sampleKeptEvaluation } from '../support/sample-evaluation.js';

const NOW = new Date('2026-03-01T11:00:00.000Z');
const { subject } = sampleKeptEvaluation().evaluation;
const gated = (fields = {}) =>
  sampleKeptEvaluation({ gate: sampleGate(fields), subject: { ...subject, endpoint: 'bot' } }).evaluation;

describe('a gate', () => {
  it('has a line for each check, with the reason', () => {
    const { title, passed, lines } = gateView(gated())!;
    expect({ title, passed }).toEqual({ title: 'Refused by the gate of bot', passed: false });
    expect(lines.map(({ label, outcome, text }) => [label, outcome, text])).toEqual([
      ['Tests', 'skipped', 'The project has no tests for weights.'],
      ['Held-out rows', 'passed', expect.stringMatching(/^Better: Accuracy \+25\.0 points \(95 % interval/)],
      ['General rows', 'failed', expect.stringMatching(/^Worse: F1 −36\.0 points/)],
    ]);
    expect(gateView(sampleKeptEvaluation().evaluation)).toBeNull();
  });

  it('with a margin says whether the loss is shown to be smaller', () => {
    const textOf = (outcome: 'passed' | 'failed') =>
      gateView(gated({ margin: 0.02, checks: [{ check: 'rows', outcome }] }))!.lines[0]!.text;
    expect(textOf('passed')).toContain(' A loss is shown to be at most 2 points.');
    expect(textOf('failed')).toContain(' A loss is not shown to be at most 2 points.');
  });

  it('decides what a list of evaluations says of it', () => {
    expect(evaluationLine(gated(), NOW)).toMatchObject({
      verdict: 'refused',
      tone: 'worse',
      comparison: 'refused (general rows lost): better than Base model: svc/tiny',
    });
    expect(evaluationLine(gated({ passed: true }), NOW)).toMatchObject({ verdict: 'passed', tone: 'better' });
  });

  it.each([
    ['dry_run', true, 'passed (dry run)', /^passed \(dry run, general rows lost\): better than/],
    ['canary', true, 'passed (canary)', /^passed \(canary, general rows lost\): better than/],
    ['canary', false, 'refused (canary)', /^refused \(canary, general rows lost\): better than/],
  ] as const)('tells a %s from what all requests get', (trial, passed, verdict, comparison) => {
    const evaluation = gated({ trial, passed });
    const line = evaluationLine(evaluation, NOW);
    expect(line).toMatchObject({ verdict, comparison: expect.stringMatching(comparison) });
    const note = trial === 'canary' ? 'canary' : 'dry run';
    expect(gateView(evaluation)!.title).toMatch(new RegExp(` the gate of bot \\(${note}\\)$`));
  });

  it('is said even if no row has a score of both', () => {
    const line = evaluationLine({ ...gated(), comparison: null }, NOW);
    expect(line.comparison).toBe('refused (general rows lost)');
  });

  it('fits a narrow terminal, above the rest', () => {
    const rows = evaluationSummary(gated(), 40).map(spans => spans.map(({ text }) => text).join(''));
    expect(rows[0]).toBe('Refused by the gate of bot');
    expect(rows[1]).toMatch(/^Tests +left out$/);
    expect(rows.slice(0, 10).every(row => row.length <= 40)).toBe(true);
  });
});

describe('a list in the terminal', () => {
  const data = { name: 'data/2026/support/held-out.jsonl', digest: 'd'.repeat(64), rows: 40 };
  const textAt = (width: number) =>
    evaluationCells({ ...gated({ trial: 'canary', passed: true }), data }, NOW, width)
      .map(({ text }) => text)
      .join('');

  it('has the verdict and the score whole, and the end of the name of the data', () => {
    expect(textAt(80)).toBe(
      ' 1 hour ago     passed (canary)     Accuracy 85.0 %  …ld-out.jsonl …job 1a2b3c4d',
    );
  });

  it('has the interval where there is room', () => {
    expect(textAt(160)).toContain('Accuracy 85.0 % (70.9 to 92.9 %)');
    expect(textAt(160)).toContain('support/held-out.jsonl, 40 rows');
    expect(textAt(160)).toContain('bot: Final adapter (job ');
  });

  it('has its titles above the cells', () => {
    for (const width of [60, 80, 120]) {
      const titles = evaluationTitles(width);
      expect(titles.indexOf('Verdict')).toBe(textAt(width).indexOf('passed'));
      expect(titles.indexOf('Score')).toBe(textAt(width).indexOf('Accuracy'));
    }
    expect(evaluationTitles(120).indexOf('Evaluated')).toBe(textAt(120).indexOf('bot: job'));
  });
});

it('a page is named after what was evaluated on what, and leads back to the list that it is in', () => {
  const { subject: own } = gated();
  expect(evaluationTitle(gated())).toMatch(/^bot: Final adapter \(job [\da-f]{8}\) on held-out\.jsonl$/);
  const jobId = own.target.kind === 'adapter' ? own.target.adapter.jobId : '';
  expect(evaluationList(gated())).toEqual({
    label: `Evaluations of job ${jobId.slice(0, 8)}`,
    location: { tab: 'jobs', id: jobId, evaluations: true },
  });
  const base = { kind: 'base_model', baseModel: 'svc/tiny' } as const;
  const labelOf = (endpoint: string | null) => evaluationList({ subject: { target: base, endpoint } }).label;
  expect([labelOf(null), labelOf('bot')]).toEqual(['Jobs', 'Endpoints']);
});

describe('what became of it', () => {
  const target: Target = { kind: 'base_model', baseModel: 'new' };
  const served = { target: { kind: 'base_model', baseModel: 'old' } as const };
  const usual = { slug: 'bot', target, served, passed: true, share: null, isTrial: false };

  it.each([
    [usual, 'Shipped: bot serves Base model: new.'],
    [
      { ...usual, share: 0.1 },
      /^Shipped: 10% of the requests to bot get Base model: new\. "svc endpoints promote/,
    ],
    [{ ...usual, isTrial: true }, 'Passed: bot may serve Base model: new. Nothing was changed.'],
    [{ ...usual, passed: false }, 'Refused: bot still serves Base model: old.'],
    [{ ...usual, passed: false, served: null }, 'Refused: bot was not created.'],
  ])('%#', (outcome, text) => {
    expect(shippingText(outcome)).toEqual(expect.stringMatching(text));
  });
});

it('a report has the checks, both evaluations, and nothing that Markdown would take for its own', () => {
  const rows = sampleEvaluationRows().map(row => ({ ...row, input: '<b>|`x`' }));
  const report = shippingReport(
    { evaluation: gated(), rows },
    { evaluation: gated(), rows: [] },
    'Refused: _x_.',
  );
  expect(report).toMatch(
    /^# bot: Final adapter \(job [\da-f]{8}\)\n\n\*\*Refused: \\_x\\_\.\*\*\n\nRefused by the gate/,
  );
  expect(report).toContain('| General rows | failed | Worse: F1 −36.0 points');
  expect(report).toContain('| 7 | &lt;b>\\|\\`x\\` | delivery | delivery | billing |');
  expect(report.match(/^## .*$/gm)).toEqual([
    '## Held-out rows',
    '## General rows, compared with the base model',
  ]);
});
