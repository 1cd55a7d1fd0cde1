import { expect, it } from 'vitest';
import { collectRows } from '../../lib/run-export/index.js';
import { START, sampleParts, sampleRun } from './sample-run.js';

it('has what was measured, in the order of the log, under the names that other tools use', () => {
  expect(sampleRun().rows).toEqual([
    {
      kind: 'measured',
      step: 1,
      time: START + 1000,
      values: { 'train/loss': 2, 'train/learning_rate': 0.001, 'system/memory_bytes': 1e9 },
    },
    { kind: 'measured', step: 2, time: START + 2000, values: { 'train/loss': 1.5 } },
    { kind: 'measured', step: 300, time: START + 9000, values: { 'train/loss': 0.25 } },
    { kind: 'measured', step: 2, time: START + 9000, values: { 'score/exact match': 0.5 } },
    { kind: 'sample', step: 300, time: START + 9000, sample: 0, answer: 'It is läte.' },
    { kind: 'measured', step: 302, time: START + 9000, values: { 'eval/reward_margin': 0.125 } },
  ]);
});

it('begins with the same rows when the log is longer', () => {
  for (let parts = 0; parts < sampleParts.length; parts++) {
    const rows = collectRows(sampleParts.slice(0, parts));
    expect(sampleRun().rows.slice(0, rows.length)).toEqual(rows);
  }
});

it('leaves out what is not a number, or has no time', () => {
  const data = JSON.stringify({ step: 1, timestamp: 'soon', loss: 1 });
  const odd = JSON.stringify({ step: 1, timestamp: new Date(START).toISOString(), loss: 'NaN' });
  const event = 'training.log';
  expect(collectRows([data, odd, 'x'].map(text => ({ id: '1', event, data: text })))).toEqual([]);
});
