import { describe, expect, it } from 'vitest';
import { initialLogChoices, logTime, logTypes, nextLogType, viewLog } from '../../lib/console/index.js';

const data = { dataset: 'train.jsonl', rows: 600, trainTokens: 12_000 };
const START = JSON.stringify({
  totalSteps: 1200,
  ...data,
  model: 'svc/tiny',
  weights: 'int8',
  device: { type: 'gpu', name: 'A card', software: 'PyTorch 2.13.0' },
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
  it('is shown as it is at first, and can have one type of event only', () => {
    expect(viewLog(log, initialLogChoices)).toBe(log);
    expect(logTypes(log)).toEqual(['training.started', 'training.log', 'checkpoint.saved']);
    expect(keys({ type: 'training.log' })).toEqual([4, 5]);
    const types = [null, 'training.started', 'training.log', 'checkpoint.saved'];
    expect(types.map(type => nextLogType(log, type))).toEqual([...types.slice(1), null]);
  });

  it('can be searched, whatever the case', () => {
    const found = [' STEP=2 ', 'checkpoint', 'zebra'].map(search => keys({ search }));
    expect(found).toEqual([[5, 6], [6], []]);
  });

  it('can say in words how a run started, and when', () => {
    const readable = { ...initialLogChoices, isReadable: true };
    const [started, first] = viewLog(log, readable);
    const words =
      '1,200 steps · train.jsonl · 600 rows · 12,000 learned tokens per epoch · svc/tiny · int8 weights · GPU (A card, PyTorch 2.13.0)';
    expect([started!.message, first]).toEqual([words, log[1]]);
    const odd = [{ key: 0, event: 'training.started', message: 'no JSON', at: null }];
    expect(viewLog(odd, readable)[0]!.message).toBe('no JSON');
    expect(logTime(log[0]!)).toMatch(/^\d\d:00:00$/);
    expect([logTime(log[1]!), logTime({ at: 'soon' })]).toEqual(['', '']);
  });
});
