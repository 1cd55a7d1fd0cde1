import { describe, expect, it } from 'vitest';
import { readMetricEvents, readResultFile, toSteps } from '../../../lib/sdk/openai-account/read-results.js';

const TABLE = 'step,train_loss,train_accuracy,valid_loss\r\n1,2.5,0.5,\r\n2,,0.75,1.5\r\n\r\n3,nan,x,\n';

describe('a result file', () => {
  it('is a table, in which empty and odd cells are no values', () => {
    expect(readResultFile(TABLE)).toEqual([
      { step: 1, train_loss: 2.5, train_accuracy: 0.5 },
      { step: 2, train_accuracy: 0.75, valid_loss: 1.5 },
      { step: 3 },
    ]);
  });

  it('may come in Base64, and what is no table has no rows', () => {
    expect(readResultFile(Buffer.from(TABLE).toString('base64'))).toEqual(readResultFile(TABLE));
    for (const other of ['', '{"error":1}', 'a,b\n1,2', 'c3RlcA=='])
      expect(readResultFile(other)).toEqual([]);
  });
});

it('metrics are in events of their type, at the time of each', () => {
  const event = { id: 'e', message: null };
  expect(
    readMetricEvents([
      {
        ...event,
        type: 'metrics',
        created_at: 5,
        data: { step: 1, train_loss: 2, note: 'x', bad: Number.NaN },
      },
      { ...event, type: 'message', created_at: 6, data: { step: 2 } },
      { ...event, type: 'metrics', created_at: null, data: { step: 3 } },
    ]),
  ).toEqual([{ step: 1, train_loss: 2, time: 5000 }, { step: 3 }]);
});

describe('steps', () => {
  it('are in order, once each, from the first list that has a value', () => {
    const lists = [
      [
        { step: 2, train_loss: 1 },
        { step: 1, train_loss: 2 },
      ],
      [
        { step: 2, train_loss: 9, time: 7, learning_rate: 0.5 },
        { step: 4, train_loss: 3 },
      ],
    ];
    expect(toSteps(lists)).toEqual({
      steps: { step: [1, 2, 4], time: [null, 7, null], loss: [2, 1, 3], learningRate: [null, 0.5, null] },
      thinnedFrom: null,
      sources: { loss: 'train_loss', learningRate: 'learning_rate' },
    });
  });

  it('have the loss of all validation rows, if there is one, and that of a batch otherwise', () => {
    const batch = [
      { step: 1, valid_loss: 3 },
      { step: 2, valid_loss: 2 },
    ];
    expect(toSteps([batch]).steps).toMatchObject({ evalLoss: [3, 2] });
    const full = toSteps([batch, [{ step: 2, full_valid_loss: 5 }]]);
    expect([full.steps?.step, full.steps?.evalLoss, full.sources]).toEqual([
      [2],
      [5],
      { evalLoss: 'full_valid_loss' },
    ]);
  });

  it('are none without a number and a measure', () => {
    const none = { steps: null, thinnedFrom: null, sources: {} };
    expect(toSteps([])).toEqual(none);
    expect(
      toSteps([[{ train_loss: 1 }, { step: -1, train_loss: 1 }, { step: 0.5, train_loss: 1 }, { step: 3 }]]),
    ).toEqual(none);
  });

  it('are thinned out if there are too many, but not at evaluations and the end', () => {
    const all = Array.from({ length: 50_000 }, (_, index) => ({
      step: index + 1,
      train_loss: 1,
      ...(index % 1000 === 500 && { valid_loss: 2 }),
    }));
    const { steps, thinnedFrom } = toSteps([all]);
    expect(thinnedFrom).toBe(50_000);
    expect(steps!.step.length).toBeLessThanOrEqual(20_000);
    expect(steps!.step.length).toBeGreaterThan(19_900);
    expect(steps!.step.at(-1)).toBe(50_000);
    expect(steps!.evalLoss!.filter(value => value !== null)).toHaveLength(50);
    const gaps = steps!.step.slice(1).map((step, index) => step - steps!.step[index]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(4);
  });

  it('are thinned out even if each has an evaluation', () => {
    const all = Array.from({ length: 50_000 }, (_, index) => ({ step: index, valid_loss: 2 }));
    expect(toSteps([all]).steps!.step.length).toBeLessThanOrEqual(20_000);
  });
});
