// How far a run is, what its sidebar says of it, and its settings.
import { describe, expect, it } from 'vitest';
import {
  chartableMetrics,
  formatMetric,
  initialJobView,
  jobAsides,
  plannedEnd,
  runSummary,
  settingRows,
} from '../../lib/console/index.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { facts, frame, play, polled, viewOf } from './support/play.js';

const START = Date.UTC(2026, 0, 1);
const at = (second: number) => ({ timestamp: new Date(START + 1000 * second).toISOString() });
const started = (fields: object = {}) => frame('training.started', fields);
const log = (fields: object) => frame('training.log', fields);

const running = viewOf(
  started({ totalSteps: 40, dataset: 'train.jsonl', rows: 600, trainTokens: 12_000, ...at(0) }),
  log({ step: 10, loss: 2, tokensPerSecond: 412.34, ...at(10) }),
  log({ step: 20, loss: 0.5, evalLoss: 0.75, ...at(20) }),
);

describe('how far a run is', () => {
  it('is its share of the steps, the time spent and left at this pace, and its losses', () =>
    expect(runSummary(running, START + 21_000)).toMatchObject({
      step: 20,
      totalSteps: 40,
      fraction: 0.5,
      elapsedMs: 21_000,
      leftMs: 20_000,
      tokensPerSecond: 412.34,
      latest: { step: 20, value: 0.5 },
      best: { step: 20, value: 0.5 },
      bestEval: { step: 20, value: 0.75 },
      final: null,
    }));

  it('counts the pace from where it resumed, and once it completed has the final losses', () => {
    const resumed = play(
      running,
      started({ totalSteps: 40, ...at(100) }),
      log({ step: 30, loss: 1, ...at(105) }),
    );
    expect(runSummary(resumed, START).leftMs).toBe(5000);
    const done = play(running, frame('training.completed', { artifacts: [{}], ...at(30) }));
    const [final, finalEval] = [0.5, 0.75].map(value => ({ step: 20, value }));
    const end = { final, finalEval, elapsedMs: 30_000, leftMs: null, fraction: 1 };
    expect(runSummary(done, START + 99_000)).toMatchObject(end);
  });

  it('is told by rewards where it learns from them', () => {
    const rewarded = viewOf(
      started({ totalSteps: 30, ...at(0) }),
      log({ step: 10, loss: -0.2, reward: 0.9, evalReward: 0.4, ...at(10) }),
      log({ step: 20, loss: 0.1, reward: 0.7, evalReward: 0.6, ...at(20) }),
    );
    expect(facts(rewarded)).toMatchObject({
      Reward: '0.7 at step 20',
      'Best held-out reward': '0.6 at step 20',
    });
    const done = play(rewarded, frame('training.completed', { artifacts: [{}], ...at(30) }));
    const shown = facts(done);
    expect(shown).toMatchObject({
      'Final reward': '0.7 at step 20',
      'Final held-out reward': '0.6 at step 20',
    });
    expect(Object.keys(shown).filter(name => /loss|^Reward$/i.test(name))).toEqual([]);
    const alone = viewOf(log({ step: 1, loss: 0, reward: 0.5 }), log({ step: 2, loss: 0, reward: 0.25 }));
    expect(facts(alone)).toMatchObject({ Reward: '0.25 at step 2', 'Best reward': '0.5 at step 1' });
  });

  it('says how long the parts of a step take, where it also samples answers', () => {
    const seconds = { rolloutSeconds: 6.1, rewardSeconds: 0.12, trainingSeconds: 2.2 };
    const sampling = viewOf(started({ totalSteps: 30 }), log({ step: 1, reward: 0.5, ...seconds }));
    expect(facts(sampling)['A step']).toBe('8.4 s: 6.1 s answers, 120 ms rewards, 2.2 s training');
    expect(facts(running)).not.toHaveProperty('A step');
    expect(chartableMetrics(sampling.metrics)).toEqual(Object.keys(seconds));
    expect(formatMetric('rewardSeconds', 0.12)).toBe('120 ms');
  });

  it('has no time left while it waits, and says so next to its name', () => {
    const waiting = polled({ status: 'running', waitingFor: 'Waiting for its program.' }, running);
    expect(runSummary(waiting, START + 21_000)).toMatchObject({ leftMs: null, fraction: 0.5 });
    expect(jobAsides(waiting, JOB_ID)[0]).toBe(`50 % · waiting · ${JOB_ID}`);
    expect(jobAsides(running, JOB_ID)[0]).toMatch(/^50 % · .* left · /);
  });

  it('has the end that is planned on each axis, only while it goes on', () => {
    const over = play(running, frame('end', { status: 'cancelled' }));
    const ends = (['step', 'time', 'tokens'] as const).map(axis => plannedEnd(running, axis));
    expect(ends).toEqual([40, 40, null]);
    expect([plannedEnd(initialJobView, 'step'), plannedEnd(over, 'step')]).toEqual([null, null]);
  });
});

describe('the sidebar', () => {
  it('has dashes until something is known', () =>
    expect(facts(initialJobView)).toEqual({ Step: '–', Artifacts: '–', Created: '–', ID: JOB_ID }));

  it('says in words how a run goes', () =>
    expect(facts(running, START + 21_000)).toMatchObject({
      Step: '20 of 40',
      Elapsed: '21 s',
      'Time left': '20 s',
      Speed: '412 tokens/s (last step)',
      Loss: '0.5 at step 20',
      'Best eval loss': '0.75 at step 20',
      'Data set': 'train.jsonl',
      Rows: '600',
      'Learned tokens': '12,000 per epoch',
    }));

  it('says of an imported adapter where it came from', () => {
    const [trained, imported] = [{}, { imported: true }].map(fields =>
      facts(viewOf(frame('training.completed', { artifacts: [{}], ...fields }))),
    );
    expect(imported).toMatchObject({ Origin: 'imported', Step: '–', Artifacts: '1' });
    expect(trained).not.toHaveProperty('Origin');
  });

  it('begins with what the job waits for, until it has ended', () => {
    const waiting = polled({ waitingFor: "The cloud's disk is full." });
    expect(facts(waiting).Waiting).toBe("The cloud's disk is full.");
    expect(facts(polled({ waitingFor: null }))).not.toHaveProperty('Waiting');
    expect(facts(play(waiting, frame('end', { status: 'completed' })))).not.toHaveProperty('Waiting');
  });

  it('has the count of artifacts once training is over, however, and not at a checkpoint', () => {
    const saved = viewOf(frame('checkpoint.saved', { step: 5, artifacts: [{}, {}] }));
    const done = play(saved, frame('training.completed', { artifacts: [{}, {}, {}] }));
    const ended = (['failed', 'cancelled'] as const).map(status => polled({ status, artifactCount: 2 }));
    expect([saved, done, ...ended].map(view => facts(view).Artifacts)).toEqual(['–', '3', '2', '2']);
  });

  it('has the time of creation, and the greatest step of either series, of as many as is said', () => {
    const logged = viewOf(log({ step: 1000, loss: 1 }), log({ step: 1200, evalLoss: 1 }));
    const begun = viewOf(started({ totalSteps: 456 }), log({ step: 135, loss: 1 }));
    const steps = [logged, polled({ totalSteps: 2000 }, logged), begun].map(view => facts(view).Step);
    expect(steps).toEqual(['1,200', '1,200 of 2,000', '135 of 456']);
    expect(facts(polled({})).Created).toBe(new Date(sampleJob().createdAt).toLocaleString());
  });

  it('has the rows that were read, those too long, the precision of the weights, and the device, once known', () => {
    const read = viewOf(frame('training.preparing', { rows: 1000, totalRows: 2000 }));
    expect(facts(read)).toMatchObject({ 'Rows read': '1,000 of 2,000' });
    for (const label of ['Too long', 'Weights', 'Device']) expect(facts(read)).not.toHaveProperty(label);
    const tooLong = { maxLength: 512, truncated: 1200, skipped: 3, first: [] };
    const device = { type: 'gpu', name: 'A card' };
    const before = play(read, started({ tooLong, weights: 'int8', device }));
    const known = { 'Too long': '1,200 truncated, 3 skipped', Weights: 'int8' };
    expect(facts(before)).toMatchObject({ ...known, Device: 'GPU (A card)' });
    const fallen = play(before, started({ device: { type: 'cpu', reason: 'The GPU failed.' } }));
    expect(facts(fallen)).toMatchObject({ Device: 'CPU. The GPU failed.' });
  });
});

it('the settings of a run have those that differ from the defaults first', () => {
  const config = { model: 'm', loraR: 16, seed: 0, targetModules: ['q_proj', 'v_proj'], evalSteps: null };
  const settings = settingRows({ config, customSettings: ['loraR', 'targetModules'] });
  expect(settings.map(({ name, value, isCustom }) => `${isCustom ? '* ' : ''}${name} ${value}`)).toEqual([
    '* loraR 16',
    '* targetModules q_proj, v_proj',
    'model m',
    'seed 0',
  ]);
  expect(settingRows({ config: null })).toEqual([]);
});

it.each<[Record<string, unknown>, string]>([
  [{ bestBy: { score: 'tone' } }, 'highest tone'],
  [{ bestBy: { score: 'tone', higher: true } }, 'highest tone'],
  [{ bestBy: { score: 'tone', higher: false } }, 'lowest tone'],
  [{ method: { type: 'dpo', beta: 0.1, sftWeight: 0 } }, 'dpo, beta 0.1, sftWeight 0'],
  [{ datasetSource: { type: 'upload', datasetId: 'd1' } }, 'upload d1'],
  [{ evalDatasetSource: { type: 'upload', datasetId: '2d6c' } }, 'upload held-out.jsonl'],
])(
  'the settings of a run say what %j means, with the names of files where the cloud knows them',
  (config, value) =>
    expect(settingRows({ config, fileNames: { '2d6c': 'held-out.jsonl' } })[0]!.value).toBe(value),
);
