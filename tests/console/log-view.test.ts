import { describe, expect, it } from 'vitest';
import { initialLogChoices, logTime, logTypes, nextLogType, viewLog } from '../../lib/console/index.js';

const START = JSON.stringify({
  totalSteps: 1200,
  dataset: 'train.jsonl',
  rows: 600,
  trainTokens: 12_000,
  model: 'svc/tiny',
  weights: 'int8',
});
const log = [
  { key: 3, event: 'training.started', message: START, at: '2026-01-01T10:00:00.000Z' },
  { key: 4, event: 'training.log', message: 'step=1 loss=2.5', at: null },
  { key: 5, event: 'training.log', message: 'step=2 loss=2.4', at: null },
  { key: 6, event: 'checkpoint.saved', message: 'step=2', at: null },
];
const keys = (choices: Partial<typeof initialLogChoices>) =>
  viewLog(log, { ...initialLogChoices, ...choices }).map(({ key }) => key);

describe('the event log', () => {
  it('is shown as it is at first', () => {
    expect(viewLog(log, initialLogChoices)).toBe(log);
  });

  it('can have one type of event only', () => {
    expect(logTypes(log)).toEqual(['training.started', 'training.log', 'checkpoint.saved']);
    expect(keys({ type: 'training.log' })).toEqual([4, 5]);
    let type: string | null = null;
    const seen = Array.from({ length: 4 }, () => {
      type = nextLogType(log, type);
      return type;
    });
    expect(seen).toEqual(['training.started', 'training.log', 'checkpoint.saved', null]);
  });

  it('can be searched, whatever the case', () => {
    expect(keys({ search: ' STEP=2 ' })).toEqual([5, 6]);
    expect(keys({ search: 'checkpoint' })).toEqual([6]);
    expect(keys({ search: 'zebra' })).toEqual([]);
  });

  it('can say in words how a run started', () => {
    const [started, first] = viewLog(log, { ...initialLogChoices, isReadable: true });
    expect(started!.message).toBe(
      '1,200 steps · train.jsonl · 600 rows · 12,000 tokens per epoch · svc/tiny · int8 weights',
    );
    expect(first).toBe(log[1]);
    const odd = [{ key: 0, event: 'training.started', message: 'no JSON', at: null }];
    expect(viewLog(odd, { ...initialLogChoices, isReadable: true })[0]!.message).toBe('no JSON');
  });

  it('knows the time of an event that says it', () => {
    expect(logTime(log[0]!)).toMatch(/^\d\d:00:00$/);
    expect(logTime(log[1]!)).toBe('');
    expect(logTime({ at: 'soon' })).toBe('');
  });
});
