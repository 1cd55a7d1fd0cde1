import { describe, expect, it } from 'vitest';
import {
  initialJobView,
  type JobView,
  metadataRows,
  plannedEnd,
  reduceJobView,
  runSummary,
  settingRows,
} from '../../lib/console/index.js';
import { JOB_ID, sampleJob } from '../support/samples.js';

const START = Date.UTC(2026, 0, 1);
const at = (second: number) => new Date(START + 1000 * second).toISOString();

function viewOf(...events: [event: string, second: number, fields: object][]): JobView {
  const frames = events.map(([event, second, fields], index) => ({
    id: String(index + 1),
    event,
    data: JSON.stringify({ timestamp: at(second), ...fields }),
  }));
  return reduceJobView(initialJobView, { type: 'frames', frames });
}

const running = viewOf(
  ['training.started', 0, { totalSteps: 40, dataset: 'train.jsonl', rows: 600, trainTokens: 12_000 }],
  ['training.log', 10, { step: 10, loss: 2, tokensPerSecond: 412.34 }],
  ['training.log', 20, { step: 20, loss: 0.5, evalLoss: 0.75 }],
);
const rows = (view: JobView, now = START) =>
  Object.fromEntries(metadataRows(view, JOB_ID, now).map(({ label, value }) => [label, value]));

describe('how far a run is', () => {
  it('is its share of the steps, the time spent, and the time left at this pace', () => {
    expect(runSummary(running, START + 21_000)).toMatchObject({
      step: 20,
      totalSteps: 40,
      fraction: 0.5,
      elapsedMs: 21_000,
      leftMs: 20_000,
      tokensPerSecond: 412.34,
    });
  });

  it('counts the pace from where it resumed', () => {
    const resumed = reduceJobView(running, {
      type: 'frames',
      frames: [
        { id: '8', event: 'training.started', data: JSON.stringify({ timestamp: at(100), totalSteps: 40 }) },
        { id: '9', event: 'training.log', data: JSON.stringify({ timestamp: at(105), step: 30, loss: 1 }) },
      ],
    });
    expect(runSummary(resumed, START).leftMs).toBe(5000);
  });

  it('knows its latest and best loss with their steps, and the final ones once it completed', () => {
    expect(runSummary(running, START)).toMatchObject({
      latest: { step: 20, value: 0.5 },
      best: { step: 20, value: 0.5 },
      bestEval: { step: 20, value: 0.75 },
      final: null,
    });
    const done = reduceJobView(running, {
      type: 'frame',
      frame: {
        id: '9',
        event: 'training.completed',
        data: JSON.stringify({ artifacts: [{}], timestamp: at(30) }),
      },
    });
    expect(runSummary(done, START + 99_000)).toMatchObject({
      final: { step: 20, value: 0.5 },
      finalEval: { step: 20, value: 0.75 },
      elapsedMs: 30_000,
      leftMs: null,
      fraction: 1,
    });
  });

  it('has the end that is planned on each axis, only while it goes on', () => {
    expect(plannedEnd(running, 'step')).toBe(40);
    expect(plannedEnd(running, 'time')).toBe(40);
    expect(plannedEnd(running, 'tokens')).toBeNull();
    expect(plannedEnd(initialJobView, 'step')).toBeNull();
    const over = reduceJobView(running, {
      type: 'frame',
      frame: { id: '9', event: 'end', data: '{"status":"cancelled"}' },
    });
    expect(plannedEnd(over, 'step')).toBeNull();
  });
});

describe('the sidebar', () => {
  it('says it all in words', () => {
    expect(rows(running, START + 21_000)).toMatchObject({
      Step: '20 of 40',
      Elapsed: '21 s',
      'Time left': '20 s',
      Speed: '412 tokens/s',
      Loss: '0.5 at step 20',
      'Best eval loss': '0.75 at step 20',
      'Data set': 'train.jsonl',
      Rows: '600',
      Tokens: '12,000 per epoch',
    });
  });

  it.each(['failed', 'cancelled'] as const)('counts the artifacts of a %s run, as the cloud does', status => {
    const job = sampleJob({ status, artifactCount: 2 });
    expect(rows(reduceJobView(initialJobView, { type: 'polled', job }))).toMatchObject({ Artifacts: '2' });
  });
});

describe('the settings of a run', () => {
  it('have those that differ from the defaults first', () => {
    const config = { model: 'm', loraR: 16, seed: 0, targetModules: ['q_proj', 'v_proj'], evalSteps: null };
    const settings = settingRows({ config, customSettings: ['loraR', 'targetModules'] });
    expect(settings.map(({ name, value, isCustom }) => `${isCustom ? '* ' : ''}${name} ${value}`)).toEqual([
      '* loraR 16',
      '* targetModules q_proj, v_proj',
      'model m',
      'seed 0',
    ]);
    const bestBy = (higher?: boolean) =>
      settingRows({ config: { bestBy: { score: 'tone', ...(higher !== undefined && { higher }) } } })[0]!
        .value;
    expect([bestBy(), bestBy(true), bestBy(false)]).toEqual(['highest tone', 'highest tone', 'lowest tone']);
    expect(settingRows({ config: null })).toEqual([]);
  });

  it('name uploaded files, not their IDs, where the cloud knows the names', () => {
    const upload = (datasetId: string) => ({ type: 'upload', datasetId });
    const config = { datasetSource: upload('1c5b'), evalDatasetSource: upload('2d6c') };
    const values = settingRows({ config, fileNames: { '2d6c': 'held-out.jsonl' } }).map(({ value }) => value);
    expect(values).toEqual(['upload 1c5b', 'upload held-out.jsonl']);
  });

  it('say what the numbers of a setting with several are', () => {
    const config = {
      method: { type: 'dpo', beta: 0.1, sftWeight: 0 },
      datasetSource: { type: 'upload', datasetId: 'd1' },
    };
    expect(settingRows({ config }).map(({ value }) => value)).toEqual([
      'dpo, beta 0.1, sftWeight 0',
      'upload d1',
    ]);
  });
});
