// A checked data set in words and bars.
import { describe, expect, it } from 'vitest';
import {
  dataFacts,
  dataSummary,
  FINDING_TEXTS,
  formatsText,
  lengthBars,
  measurementText,
  rowFacts,
  sampleText,
  tokenRuns,
} from '../../lib/console/index.js';
import { DATA_FINDINGS } from '../../lib/contract/index.js';
import { FINDING_NAMES, FINDINGS } from '../../lib/engine/train/check/findings.js';
import { samplePreview } from '../support/sample-preview.js';

const { report, rows } = samplePreview({ tokens: true });

describe('a report', () => {
  it('says what was recognized', () => {
    expect(formatsText({ ...report, formats: [{ name: 'Alpaca', rows: 1204 }], rows: 1204 })).toBe(
      'Alpaca: 1,204 rows',
    );
    const mixed = [
      { name: 'messages', rows: 5 },
      { name: 'ShareGPT', rows: 1 },
    ];
    expect(formatsText({ ...report, formats: mixed })).toBe('Messages: 5 rows, ShareGPT: 1 row');
    expect(formatsText({ ...report, formats: [] })).toBe('No known format: 8 rows');
  });

  it('has the figures of both sides', () => {
    expect(Object.fromEntries(dataFacts(report))).toEqual({
      Recognized: 'Alpaca: 8 rows',
      Training: '7 rows',
      Evaluation: '1 row',
      'Each epoch': '18 of 60 tokens are learned (30%)',
      Steps: '12',
      Length: '5 to 11 tokens, median 7; limit 8',
    });
  });

  it('says if it is of a sample', () => {
    expect(sampleText(report)).toBeNull();
    expect(sampleText({ ...report, rows: 9000 })).toContain('Checked 8 of 9,000 rows');
  });

  it('has a short form with errors and warnings, but no notes', () => {
    const found = (name: 'cut' | 'unreadable' | 'conflicting', grade: 'error' | 'warning' | 'note') => ({
      name,
      grade,
      rows: 4,
      first: [{ file: 'a.jsonl', number: 2 }],
    });
    const findings = [found('unreadable', 'error'), found('cut', 'warning'), found('conflicting', 'note')];
    expect(dataSummary({ ...report, findings })).toEqual({
      line: 'Data: Alpaca: 8 rows; 18 of 60 tokens are learned (30%).',
      errors: ['Cannot be read: 4 rows (a.jsonl:2, …)'],
      warnings: ['Cut off: 4 rows (a.jsonl:2, …)'],
    });
  });

  it('has bars that show which lengths are over the limit', () => {
    expect(
      lengthBars(report).map(({ label, share, isOver, hasLimit }) => [label, share, isOver, hasLimit]),
    ).toEqual([
      ['4–5', 0.5, false, false],
      ['6–7', 1, false, false],
      ['8–11', 0.5, true, true],
    ]);
    expect(lengthBars({ ...report, lengths: null })).toEqual([]);
  });

  it('has as few bars as there is room for, without losing a row', () => {
    expect(lengthBars(report, 2).map(({ label, rows, share }) => [label, rows, share])).toEqual([
      ['4–7', 6, 1],
      ['8–11', 2, 1 / 3],
    ]);
    expect(lengthBars(report, 1).map(({ label, rows, hasLimit }) => [label, rows, hasLimit])).toEqual([
      ['4–11', 8, true],
    ]);
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

describe('a row', () => {
  it('says what of it is learned and cut', () => {
    expect(rowFacts(rows[0]!)).toBe('training · 9 tokens · 3 learned');
    expect(rowFacts(rows[2]!)).toBe('training · 9 tokens · 1 learned · 2 cut off');
    expect(rowFacts({ ...rows[0]!, seen: 0, learned: 0 })).toBe('training · 9 tokens · 0 learned · left out');
    expect(rowFacts({ ...rows[0]!, refusal: 'it has no role' })).toBe('it has no role');
  });

  it('is a few runs of tokens, with markers apart', () => {
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
});
