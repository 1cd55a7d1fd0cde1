// A checked data set in words and bars.
import { describe, expect, it } from 'vitest';
import {
  dataFacts,
  dataSummary,
  FINDING_TEXTS,
  findingAdvice,
  formatsText,
  lengthBars,
  measurementText,
  reportRows,
  rowFacts,
  sampleText,
  tokenRuns,
} from '../../lib/console/index.js';
import { DATA_FINDINGS } from '../../lib/contract/index.js';
import { FINDING_NAMES, FINDINGS } from '../../lib/engine/train/check/findings.js';
import { samplePreview } from '../support/sample-preview.js';

const { report, rows } = samplePreview({ tokens: true });

describe('a report', () => {
  it.each([
    [{ Alpaca: 1204 }, 'Alpaca: 1,204 rows'],
    [{ messages: 5, ShareGPT: 1 }, 'Messages: 5 rows, ShareGPT: 1 row'],
    [{}, 'No known format: 8 rows'],
  ])('says what was recognized: %j', (found, text) => {
    const formats = Object.entries(found).map(([name, rows]) => ({ name, rows }));
    expect(formatsText({ ...report, formats, rows: formats[0]?.rows ?? report.rows })).toBe(text);
  });

  it('has the figures of both sides, and says if it is of a sample', () => {
    expect(Object.fromEntries(dataFacts(report))).toEqual({
      Recognized: 'Alpaca: 8 rows',
      Training: '7 rows',
      Evaluation: '1 row',
      'Each epoch': '18 of 60 tokens are learned (30%)',
      Steps: '12',
      Length: '5 to 11 tokens, median 7; limit 8',
    });
    const nearly = { ...report, training: { ...report.training, tokens: 41_950, learned: 41_800 } };
    expect(Object.fromEntries(dataFacts(nearly))['Each epoch']).toBe(
      '41,800 of 41,950 tokens are learned (99%)',
    );
    expect(sampleText(report)).toBeNull();
    expect(sampleText({ ...report, rows: 9000 })).toContain('Checked 8 of 9,000 rows');
  });

  it('has a short form with errors and warnings, and of the notes those about the model', () => {
    const grades = {
      unreadable: 'error',
      cut: 'warning',
      tools_as_text: 'note',
      conflicting: 'note',
    } as const;
    const findings = (['unreadable', 'cut', 'tools_as_text', 'conflicting'] as const).map(name => {
      return { name, grade: grades[name], rows: 4, first: [{ file: 'a.jsonl', number: 2 }] };
    });
    expect(dataSummary({ ...report, findings })).toEqual({
      line: 'Data: Alpaca: 8 rows, 1 of them held out; 18 of 60 tokens are learned (30%).',
      errors: ['Cannot be read: 4 rows (a.jsonl:2, …)'],
      warnings: ['Cut off: 4 rows (a.jsonl:2, …)'],
      notes: [
        "Tools as text: 4 rows. The model's chat template has no place for tools that svc can use. svc describes them in the system message, in training and when the model is served; other servers may not.",
      ],
    });
    expect(dataSummary({ ...report, evaluation: null }).line).toContain('Alpaca: 8 rows; ');
  });

  it('says why the first of the rows cannot be read, and what to do', () => {
    const first = [{ file: 'a.jsonl', number: 2 }];
    const finding = { name: 'unreadable', grade: 'error', rows: 4, first, reason: 'it is a number' } as const;
    expect(dataSummary({ ...report, findings: [finding] }).errors).toEqual([
      'Cannot be read: 4 rows (a.jsonl:2, …). The first: it is a number',
    ]);
    expect(findingAdvice(finding)).toBe(
      'The first: it is a number. Training stops at the first of these rows. Fix or remove them.',
    );
    expect(findingAdvice({ name: 'unreadable' })).toBe(
      'Training stops at the first of these rows. Fix or remove them.',
    );
    // Above its rows in the terminal, too.
    const place = { finding: finding.name, measurement: null, width: 100, height: 40 };
    for (const findings of [[finding], []]) {
      const advice = reportRows({ ...report, findings }, place).flat();
      expect(advice.map(({ text }) => text.trim()).join(' ')).toBe(
        findingAdvice(findings[0] ?? { name: 'unreadable' }),
      );
    }
  });

  it('has bars that show which lengths are over the limit, as few as there is room for', () => {
    const bars = lengthBars(report);
    expect(bars.map(({ label, share, isOver, hasLimit }) => [label, share, isOver, hasLimit])).toEqual([
      ['4–5', 0.5, false, false],
      ['6–7', 1, false, false],
      ['8–11', 0.5, true, true],
    ]);
    expect(lengthBars({ ...report, lengths: null })).toEqual([]);
    const [low, high] = [
      { label: '4–7', rows: 6, share: 1 },
      { label: '8–11', rows: 2, share: 1 / 3 },
    ];
    expect(lengthBars(report, 2)).toMatchObject([low, high]);
    expect(lengthBars(report, 1)).toMatchObject([{ label: '4–11', rows: 8, hasLimit: true }]);
  });

  it('has words for every finding, and the engine finds the same ones', () => {
    expect(Object.keys(FINDING_TEXTS)).toEqual([...DATA_FINDINGS]);
    expect(FINDING_NAMES).toEqual([...DATA_FINDINGS]);
    expect(Object.keys(FINDINGS)).toEqual(FINDING_NAMES);
  });
});

it('a measurement says how long, and how much memory', () => {
  const measured = { steps: 5, secondsPerStep: 1.5, tokensPerSecond: 400, seconds: 90, memory: 412_000_000 };
  expect(measurementText(measured)).toMatch(
    /^About 1m 30s on this machine \(1\.5 s per step\), 41?\d.* of memory$|^About .*1.*30/,
  );
});

it('a row says what of it is learned and cut', () => {
  expect(rowFacts(rows[0]!)).toBe('training · 9 tokens · 3 learned');
  expect(rowFacts(rows[2]!)).toBe('training · 9 tokens · 1 learned · 2 cut off');
  expect(rowFacts({ ...rows[0]!, seen: 0, learned: 0 })).toBe('training · 9 tokens · 0 learned · left out');
  expect(rowFacts({ ...rows[0]!, refusal: 'it has no role' })).toBe('it has no role');
});

it('a row is a few runs of tokens, with markers apart', () => {
  const runs = tokenRuns(rows[0]!.views[0]!.tokens);
  expect(runs.map(({ text, kind, special }) => [text, kind, special])).toEqual([
    ['<|im_start|>', 'read', true],
    ['user\nThe app crashes when I log in.', 'read', false],
    ['<|im_end|>', 'read', true],
    ['\n', 'read', false],
    ['bug indeed', 'learned', false],
    ['<|im_end|>', 'learned', true],
  ]);
  expect(runs[1]!.tokens).toBe(3);
});
