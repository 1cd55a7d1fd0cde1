import { describe, expect, it } from 'vitest';
import {
  comparedAxes,
  comparedAxis,
  comparedCells,
  comparedChart,
  comparedCursor,
  comparedEnd,
  comparedMetric,
  comparedMetrics,
  comparedText,
  comparedWords,
  compareHint,
  compareLabel,
  foundRuns,
  initialChoices,
  initialJobView,
  movePlace,
  nearestPlace,
  needsJobs,
  noDifference,
  reduceCompare,
  resultRows,
  runName,
  runSeries,
  settingDifferences,
  startCompare,
  toggleCompared,
} from '../../lib/console/index.js';
import { isUuid } from '../../lib/contract/index.js';
import { compareRuns, RUN_IDS } from '../support/compared-runs.js';
import { sampleJob } from '../support/samples.js';

const NOW = Date.UTC(2026, 0, 1, 0, 1);
const [A, B] = RUN_IDS as [string, string];
const row = (rows: readonly { label: string }[], label: string) => rows.find(entry => entry.label === label);

describe('the runs of a comparison', () => {
  it('are those named, each once and at most six, found by the start of their IDs', () => {
    const runs = startCompare([A, A.toUpperCase(), 'bbbb', 'c', 'd', 'e', 'f', '0'], isUuid);
    expect(runs.map(({ named, place }) => [named, place])).toEqual([
      [A, 0],
      ['bbbb', 1],
      ['c', 2],
      ['d', 3],
      ['e', 4],
      ['f', 5],
    ]);
    expect(needsJobs(runs)).toBe(true);
    const jobs = RUN_IDS.map(id => sampleJob({ id, name: `of ${id[0]}` }));
    const found = reduceCompare(runs, { type: 'listed', jobs });
    expect(found.map(({ id }) => id)).toEqual(RUN_IDS);
    expect(needsJobs(found)).toBe(false);
    expect(runName(found[1]!, found)).toBe('of b');
  });

  it('say which are gone, ambiguous or there twice, and the others stay', () => {
    const jobs = [sampleJob({ id: A }), sampleJob({ id: B }), sampleJob({ id: `b1${B.slice(2)}` })];
    const runs = reduceCompare(startCompare([A, 'aaa', 'b', 'f'], isUuid), { type: 'listed', jobs });
    expect(runs.map(({ problem }) => problem)).toEqual([
      null,
      'This run is already in the comparison.',
      '2 jobs have IDs that start so. Type more.',
      'No job of this project has this ID.',
    ]);
    const gone = reduceCompare(runs, { type: 'refused', id: A, problem: 'There is no such job.' });
    expect(foundRuns(gone)).toEqual([]);
    expect(gone[0]).toMatchObject({ problem: 'There is no such job.' });
  });

  it('take in what is told of one, and nothing of a job that is not compared', () => {
    const runs = startCompare([A, B], isUuid);
    const action = { type: 'polled', job: sampleJob({ name: 'mine' }) } as const;
    expect(reduceCompare(runs, { type: 'job', id: 'other', action })).toBe(runs);
    const told = reduceCompare(runs, { type: 'job', id: B, action });
    expect(told.map(run => runName(run, told))).toEqual([A.slice(0, 8), 'mine']);
    expect(told[0]).toBe(runs[0]);
  });

  it('of a sweep are named after what is varied, until somebody names them', () => {
    const group = { id: A, settings: [{ name: 'lora.r', value: 8 }] };
    const other = { id: A, settings: [{ name: 'lora.r', value: 16 }] };
    const named = (...jobs: object[]) => {
      const runs = jobs.map((fields, place) => ({
        named: RUN_IDS[place]!,
        id: RUN_IDS[place]!,
        place,
        problem: null,
        view: { ...initialJobView, polled: sampleJob({ trainer: 'triage', ...fields }) },
      }));
      return runs.map(run => runName(run, runs));
    };
    expect(named({ name: 'triage', group })).toEqual(['lora.r=8']);
    expect(named({ name: 'small', group })).toEqual(['small']);
    expect(named({ name: 'lr sweep', group }, { name: 'lr sweep', group: other })).toEqual([
      'lora.r=8',
      'lora.r=16',
    ]);
    expect(
      named(
        { name: 'lr sweep', group },
        { name: 'lr sweep', group: other },
        { name: 'big', group: other },
        {
          name: 'base',
          group: null,
        },
      ),
    ).toEqual(['lr sweep lora.r=8', 'lr sweep lora.r=16', 'big', 'base']);
  });

  it('are chosen and put back by the same key, up to six', () => {
    expect(toggleCompared([], A)).toEqual([A]);
    expect(toggleCompared([A, B], A)).toEqual([B]);
    expect(toggleCompared(RUN_IDS, 'seventh')).toBeNull();
    expect(toggleCompared(RUN_IDS, A)).toHaveLength(5);
    expect([0, 1, 2].map(compareHint)).toEqual([
      'Choose 2 to 6 runs to compare.',
      'Choose one more run.',
      '2 of at most 6 runs chosen.',
    ]);
    expect([0, 1, 2, 4].map(compareLabel)).toEqual([
      'Compare runs',
      'Compare runs',
      'Compare 2 runs',
      'Compare 4 runs',
    ]);
  });
});

describe('the results of a comparison', () => {
  const runs = compareRuns(
    { losses: [3, 1, 2], evalLosses: [4, 2.5, 3], job: { config: { loraR: 8, seed: 1 } } },
    { losses: [3, 1.5], job: { config: { loraR: 16, seed: 1 } } },
    { losses: [5], isDone: false, job: { config: { loraR: 16, seed: 1 } } },
  );
  const rows = resultRows(runs, NOW);

  it('have one value for each run, and mark the lowest loss', () => {
    expect(row(rows, 'Status')).toEqual({
      label: 'Status',
      values: ['completed', 'completed', 'running'],
      best: [],
    });
    expect(row(rows, 'Final loss')).toEqual({ label: 'Final loss', values: ['2', '1.5', null], best: [1] });
    expect(row(rows, 'Final eval loss')).toEqual({
      label: 'Final eval loss',
      values: ['3', null, null],
      best: [],
    });
    expect(row(rows, 'Latest loss')).toEqual({
      label: 'Latest loss',
      values: [null, null, '5 @ 10'],
      best: [],
    });
    expect(row(rows, 'Best loss')).toMatchObject({ values: ['1 @ 20', '1.5 @ 20', '5 @ 10'], best: [0] });
    expect(row(rows, 'Best eval loss')).toMatchObject({ values: ['2.5 @ 20', null, null], best: [] });
    expect(row(rows, 'Steps')).toMatchObject({ values: ['30', '20', '10'] });
    expect(row(rows, 'Tokens')).toMatchObject({ values: ['300', '200', '100'] });
    expect(row(rows, 'Duration')).toMatchObject({ values: ['3.0 s', '2.0 s', '1 min'] });
    expect(row(rows, 'Tokens/s')).toMatchObject({ values: ['50', '50', '50'], best: [] });
    expect(row(rows, 'Artifacts')).toMatchObject({ values: ['2', '2', null] });
  });

  it('leave out what no run has, and mark no best among equals', () => {
    const equal = resultRows(compareRuns({ losses: [1] }, { losses: [1] }), NOW);
    expect(equal.map(({ label }) => label)).not.toContain('Final eval loss');
    expect(row(equal, 'Final loss')).toMatchObject({ best: [] });
  });

  const byAccuracy = { score: 'accuracy' };
  const scoreOf = (step: number, value: number) => ({
    id: `${90 + step}`,
    event: 'score.recorded',
    data: JSON.stringify({ step, name: 'accuracy', value }),
  });
  const scoredRows = (others: unknown, ...scores: [id: string, frames: ReturnType<typeof scoreOf>[]][]) =>
    resultRows(
      scores.reduce(
        (runs, [id, frames]) => reduceCompare(runs, { type: 'job', id, action: { type: 'frames', frames } }),
        compareRuns(
          { losses: [1, 2], job: { config: { bestBy: byAccuracy } } },
          { losses: [1], job: { config: { bestBy: others } } },
        ),
      ),
      NOW,
    );

  it('have the scores of the runs, the latest of each', () => {
    const found = scoredRows(undefined, [A, [scoreOf(1, 0.9), scoreOf(2, 0.75)]]);
    expect(row(found, 'accuracy')).toMatchObject({ values: ['0.75', null] });
    expect(row(found, 'Best score')).toMatchObject({ values: ['accuracy 0.9 @ 1', null], best: [] });
  });

  it('mark the best score where all runs are judged by the same', () => {
    const both = [
      [A, [scoreOf(1, 0.9)]],
      [B, [scoreOf(1, 0.5)]],
    ] as [string, ReturnType<typeof scoreOf>[]][];
    expect(row(scoredRows(byAccuracy, ...both), 'Best score')).toMatchObject({ best: [0] });
    expect(row(scoredRows({ score: 'accuracy', higher: false }, ...both), 'Best score')).toMatchObject({
      best: [],
    });
  });

  it('say in which settings the runs differ', () => {
    expect(settingDifferences(runs)).toEqual([{ label: 'loraR', values: ['8', '16', '16'], best: [] }]);
    expect(noDifference(compareRuns({}, {}))).toBe('All settings are the same.');
    expect(noDifference(startCompare([A, B], isUuid))).toBe('Loading settings…');
  });
});

describe('the chart of a comparison', () => {
  const runs = compareRuns({ losses: [3, 1, 2], evalLosses: [4, 2, 3] }, { losses: [5, 4], isDone: false });
  const choices = initialChoices;
  const [loss, evalLoss] = comparedMetrics(runs);
  const series = runSeries(runs, loss!, 'step');

  it('shows the training loss, or another metric that a run has', () => {
    expect(comparedMetrics(runs).map(({ label }) => label)).toEqual([
      'Training loss',
      'Eval loss',
      'Tokens per second',
    ]);
    expect(comparedMetric(runs, choices)).toEqual(loss);
    expect(comparedMetric(runs, { ...choices, metrics: ['evalLoss'] }).name).toBe('evalLoss');
    expect(comparedMetric(runs, { ...choices, metrics: ['unknown'] }).name).toBe('loss');
    expect(runSeries(runs, evalLoss!, 'step').map(run => run.series.length)).toEqual([3, 0]);
  });

  it('has an x-axis that all runs can fill', () => {
    expect(comparedAxes(runs)).toEqual(['step', 'tokens', 'time']);
    expect(comparedAxes(startCompare([A, B], isUuid))).toEqual(['step']);
    expect(comparedAxis(runs, { ...choices, x: 'epoch' })).toBe('step');
    const inTokens = runSeries(runs, loss!, comparedAxis(runs, { ...choices, x: 'tokens' }));
    expect(inTokens[0]!.series.maxStep).toBe(300);
    expect(comparedEnd(runs, 'step')).toBe(20);
    expect(comparedEnd(compareRuns({ losses: [1] }), 'step')).toBeNull();
  });

  it('draws the lines on the same axes', () => {
    const chart = comparedChart(series);
    expect([chart.x.min, chart.x.max, chart.y.min, chart.y.max]).toEqual([10, 30, 1, 5]);
    expect(chart.lines.map(({ vertices }) => vertices.map(({ x, y }) => [x, y]))).toEqual([
      [
        [0, 0.5],
        [0.5, 0],
        [1, 0.25],
      ],
      [
        [0, 1],
        [0.5, 0.75],
      ],
    ]);
    expect(comparedChart(runSeries(startCompare([A], isUuid), loss!, 'step')).waiting).toBe(true);
  });

  it('leaves out a hidden run, whose steps still count', () => {
    const chart = comparedChart(runSeries(runs, loss!, 'step', new Set([A])));
    expect(chart.lines.map(({ key }) => key)).toEqual([B]);
    expect([chart.x.max, chart.y.min, chart.y.max]).toEqual([30, 4, 5]);
  });

  it('marks few points, each run at its own, and smooths over the values', () => {
    const long = compareRuns(
      { losses: Array.from({ length: 80 }, (_, i) => 100 - i) },
      { losses: Array(80).fill(1) },
    );
    const { lines } = comparedChart(runSeries(long, loss!, 'step'), { isSmooth: true });
    expect(lines.map(({ marked }) => marked.length)).toEqual([8, 8]);
    expect(lines[0]!.marked.map(({ step }) => step)).not.toEqual(lines[1]!.marked.map(({ step }) => step));
    expect(lines[0]!.raw).toHaveLength(80);
    expect(lines[0]!.vertices[79]!.value).toBeGreaterThan(21);
  });

  it('covers in a zoom where the lines enter and leave, in both faces', () => {
    const zoom = { from: 15, to: 25 };
    const { y } = comparedChart(series, { zoom });
    expect([y.min, y.max]).toEqual([1, 4.5]);
    const cells = comparedCells(series, { width: 30, height: 9, isLog: false, isSmooth: false, zoom });
    expect(cells.lines.map(({ rows }) => rows[0])).toEqual([expect.any(Number), cells.rows - 1]);
    expect(cells.marks).toHaveLength(2);
  });

  it('reads each run at the cursor: its last value so far, and none after its end', () => {
    const chart = comparedChart(series);
    expect(comparedCursor(chart, series, 15)?.figures.map(({ value }) => value)).toEqual([3, 5]);
    expect(
      comparedCursor(chart, series, 30)?.figures.map(({ label, value, y }) => [label, value, y]),
    ).toEqual([['run-1', 2, 0.25]]);
    expect(comparedCursor(chart, series, 31)).toBeNull();
    expect(nearestPlace(series, 16)).toBe(20);
    expect(['ArrowLeft', 'ArrowRight', 'Home', 'End', 'x'].map(key => movePlace(key, series, 20))).toEqual([
      10,
      30,
      10,
      30,
      null,
    ]);
  });

  it('has words for its axes and for what the cursor reads', () => {
    const cursor = comparedCursor(comparedChart(series), series, 20)!;
    expect(comparedText(cursor, comparedWords(loss!, 'step'))).toBe('Step 20: run-1 1, run-2 4');
    const smoothed = comparedCursor(comparedChart(series, { isSmooth: true }), series, 20)!;
    expect(comparedText(smoothed, comparedWords(loss!, 'step'))).toMatch(
      /^Step 20: run-1 1 \(1\.667 smoothed\), run-2 4 \(4\.\d+ smoothed\)$/,
    );
    const speed = comparedWords({ name: 'memoryBytes', label: 'Memory' }, 'time');
    expect([speed.x, speed.y, speed.format?.(2000), speed.title(65)]).toEqual([
      'time',
      '',
      '2 kB',
      'Time 1 min 5 s',
    ]);
  });

  it('draws the same in cells, each line with its marks', () => {
    const cells = comparedCells(series, { width: 30, height: 9, isLog: false, isSmooth: false });
    expect(cells.lines.map(({ name }) => name)).toEqual(['0', '1']);
    expect(cells.marks.filter(({ name }) => name === '1')).toEqual([
      { name: '1', column: 0, row: 7 },
      { name: '1', column: Math.round((cells.columns - 1) / 2), row: expect.any(Number) },
    ]);
    expect([cells.minStep, cells.maxStep, cells.waiting]).toEqual([10, 30, false]);
    const hidden = runSeries(runs, loss!, 'step', new Set([A]));
    const zoomed = { width: 30, height: 9, isLog: true, isSmooth: true, zoom: { from: 10, to: 20 } };
    expect(comparedCells(hidden, zoomed)).toMatchObject({ lines: [{ name: '1' }], maxStep: 20, note: null });
  });
});
