import { describe, expect, it } from 'vitest';
import {
  awaitsMore,
  comparedAxes,
  comparedAxis,
  comparedCells,
  comparedChart,
  comparedCursor,
  comparedEnd,
  comparedMetric,
  comparedMetrics,
  comparedTable,
  comparedText,
  comparedWords,
  compareHint,
  compareLabel,
  foundRuns,
  initialChoices,
  initialJobView,
  leftOutText,
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
import { isUuid, type Job } from '../../lib/contract/index.js';
import { compareRuns, RUN_IDS, type ToldRun } from '../support/compared-runs.js';
import { sampleJob } from '../support/samples.js';

const NOW = Date.UTC(2026, 0, 1, 0, 1);
const [A, B] = RUN_IDS as [string, string];

describe('the runs of a comparison', () => {
  it('are those named, each once and at most six, found by the start of their IDs', () => {
    const runs = startCompare([A, A.toUpperCase(), 'bbbb', 'c', 'd', 'e', 'f', '0'], isUuid);
    expect(runs.map(({ named }) => named)).toEqual([A, 'bbbb', 'c', 'd', 'e', 'f']);
    expect(runs.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(leftOutText(['a', 'b', 'c', 'd', 'e', 'f', 'F'])).toBeNull();
    expect(leftOutText(['a', 'b', 'c', 'd', 'e', 'f', '0'])).toBe('At most 6 runs can be compared.');
    const jobs = RUN_IDS.map(id => sampleJob({ id, name: `of ${id[0]}` }));
    const found = reduceCompare(runs, { type: 'listed', jobs });
    expect(found.map(({ id }) => id)).toEqual(RUN_IDS);
    expect([needsJobs(runs), needsJobs(found), runName(found[1]!, found)]).toEqual([true, false, 'of b']);
  });

  it('say which are gone, ambiguous or there twice, and the others stay', () => {
    const jobs = [A, B, `b1${B.slice(2)}`].map(id => sampleJob({ id }));
    const runs = reduceCompare(startCompare([A, 'aaa', 'b', 'f'], isUuid), { type: 'listed', jobs });
    expect(runs.map(({ problem }) => problem)).toEqual([
      null,
      'This run is already in the comparison.',
      '2 jobs have IDs that start so. Type more.',
      'No job of this project has this ID.',
    ]);
    const twice = reduceCompare(startCompare(['aa', 'aaa'], isUuid), { type: 'listed', jobs });
    expect(foundRuns(twice).map(({ named, id }) => [named, id])).toEqual([['aa', A]]);
    const problem = 'There is no such job.';
    const gone = reduceCompare(runs, { type: 'refused', id: A, problem });
    expect([foundRuns(gone), gone[0]]).toMatchObject([[], { problem }]);
  });

  it('take in what is told of one, and nothing of a job that is not compared', () => {
    const runs = startCompare([A, B], isUuid);
    const action = { type: 'polled', job: sampleJob({ name: 'mine' }) } as const;
    expect(reduceCompare(runs, { type: 'job', id: 'other', action })).toBe(runs);
    const told = reduceCompare(runs, { type: 'job', id: B, action });
    expect(told.map(run => runName(run, told))).toEqual([A.slice(0, 8), 'mine']);
    expect(told[0]).toBe(runs[0]);
  });

  it('are asked for after their end while scores of the final adapter may come', () => {
    const completed = { status: 'completed', completedAt: new Date().toISOString() } as const;
    const config = { evals: ['tone'] } as unknown as Job['config'];
    const view = { ...initialJobView, totalSteps: 60, polled: sampleJob({ ...completed, config }) };
    const ended = { ...view, ended: true };
    const runs = [view, ended, { ...ended, polled: sampleJob(completed) }, ended].map((one, place) => ({
      ...{ named: RUN_IDS[place]!, id: RUN_IDS[place]!, place, view: one },
      problem: place === 3 ? 'Gone.' : null,
    }));
    expect(runs.map(({ id }) => awaitsMore(runs, id))).toEqual([false, true, false, false]);
  });

  const groupOf = (r: number) => ({ id: A, settings: [{ name: 'lora.r', value: r }] });
  const small = { name: 'lr sweep', group: groupOf(8) };
  const big = { name: 'lr sweep', group: groupOf(16) };
  it.each([
    [[{ name: 'triage', group: groupOf(8) }], ['lora.r=8']],
    [[{ name: 'small', group: groupOf(8) }], ['small']],
    [
      [small, big],
      ['lora.r=8', 'lora.r=16'],
    ],
    [
      [small, big, { ...big, name: 'big' }, { name: 'base', group: null }],
      ['lr sweep lora.r=8', 'lr sweep lora.r=16', 'big', 'base'],
    ],
  ])('of a sweep are named after what is varied, until somebody names them: %j', (jobs, names) => {
    const runs = jobs.map((fields, place) => {
      const view = { ...initialJobView, polled: sampleJob({ trainer: 'triage', ...fields }) };
      return { named: RUN_IDS[place]!, id: RUN_IDS[place]!, place, problem: null, view };
    });
    expect(runs.map(run => runName(run, runs))).toEqual(names);
  });

  it('are chosen and put back by the same key, up to six', () => {
    expect([toggleCompared([], A), toggleCompared([A, B], A)]).toEqual([[A], [B]]);
    expect([toggleCompared(RUN_IDS, 'seventh'), toggleCompared(RUN_IDS, A)]).toEqual([
      null,
      RUN_IDS.slice(1),
    ]);
    const hints = ['Choose 2 to 6 runs to compare.', 'Choose one more run.', '2 of at most 6 runs chosen.'];
    expect([0, 1, 2].map(compareHint)).toEqual(hints);
    const labels = ['Compare runs', 'Compare runs', 'Compare 2 runs', 'Compare 4 runs'];
    expect([0, 1, 2, 4].map(compareLabel)).toEqual(labels);
  });
});

describe('the results of a comparison', () => {
  const configs = [8, 16, 16].map(loraR => ({ job: { config: { loraR, seed: 1 } } }));
  const runs = compareRuns(
    { losses: [3, 1, 2], evalLosses: [4, 2.5, 3], ...configs[0] },
    { losses: [3, 1.5], ...configs[1] },
    { losses: [5], isDone: false, ...configs[2] },
  );
  const row = (rows: ReturnType<typeof resultRows>, wanted: string) =>
    rows.find(({ label }) => label === wanted);

  it.each<[label: string, values: (string | null)[], best: number[]]>([
    ['Status', ['completed', 'completed', 'running'], []],
    ['Final loss', ['2', '1.5', null], [1]],
    ['Final eval loss', ['3', null, null], []],
    ['Latest loss', [null, null, '5 @ 10'], []],
    ['Best loss', ['1 @ 20', '1.5 @ 20', '5 @ 10'], [0]],
    ['Best eval loss', ['2.5 @ 20', null, null], []],
    ['Steps', ['30', '20', '10'], []],
    ['Tokens', ['300', '200', '100'], []],
    ['Duration', ['3.0 s', '2.0 s', '1 min'], []],
    ['Tokens/s', ['50', '50', '50'], []],
    ['Artifacts', ['2', '2', null], []],
  ])('have one value for each run, and mark the lowest loss: %s', (label, values, best) =>
    expect(row(resultRows(runs, NOW), label)).toEqual({ label, values, best }),
  );

  it('are rewards where runs learn from them, and the highest is the best', () => {
    const learned = compareRuns(
      { losses: [0.1, 0.2], rewards: [0.75, 0.5], evalRewards: [0.25, 0.5] },
      { losses: [0.1, 0.1], rewards: [0.25, 0.625] },
      { losses: [0.5] },
    );
    const rows = resultRows(learned, NOW);
    expect([row(rows, 'Final reward'), row(rows, 'Best reward')]).toMatchObject([
      { values: ['0.5', '0.625', null], best: [1] },
      { values: ['0.75 @ 10', '0.625 @ 20', null], best: [0] },
    ]);
    expect(row(rows, 'Final held-out reward')).toMatchObject({ values: ['0.5', null, null], best: [] });
    expect(row(rows, 'Final loss')).toMatchObject({ values: [null, null, '0.5'], best: [] });
    const { body } = comparedTable(learned, rows, 76, ['●', '■', '▲']);
    const lines = body.map(spans => spans.map(({ text }) => text).join(''));
    expect(lines).toContainEqual(expect.stringMatching(/^Final held-out reward 0.5 +– +– +$/));
  });

  it('leave out what no run has, and mark no best among equals', () => {
    const equal = resultRows(compareRuns({ losses: [1] }, { losses: [1] }), NOW);
    expect(equal.map(({ label }) => label)).not.toContain('Final eval loss');
    expect(row(equal, 'Final loss')).toMatchObject({ best: [] });
  });

  const byAccuracy = { score: 'accuracy' };
  /** Two runs, the other one judged by `bestBy`, and what accuracy each had at steps 1, 2… */
  const scoredRows = (bestBy: unknown, ...accuracies: number[][]) => {
    const ends = compareRuns(
      { losses: [1, 2], job: { config: { bestBy: byAccuracy } } },
      { losses: [1], job: { config: { bestBy } } },
    );
    const scored = accuracies.reduce((all, values, place) => {
      const frames = values.map((value, at) => {
        const data = JSON.stringify({ step: at + 1, name: 'accuracy', value });
        return { id: `${90 + at}`, event: 'score.recorded', data };
      });
      return reduceCompare(all, {
        type: 'job',
        id: RUN_IDS[place]!,
        action: { type: 'events', parts: frames },
      });
    }, ends);
    return resultRows(scored, NOW);
  };

  it('have the latest scores, and mark the best one where all runs are judged by the same', () => {
    const found = scoredRows(undefined, [0.9, 0.75]);
    expect(row(found, 'accuracy')).toMatchObject({ values: ['0.75', null] });
    expect(row(found, 'Best score')).toMatchObject({ values: ['accuracy 0.9 @ 1', null], best: [] });
    const bests = [byAccuracy, { ...byAccuracy, higher: false }].map(
      others => row(scoredRows(others, [0.9], [0.5]), 'Best score')!.best,
    );
    expect(bests).toEqual([[0], []]);
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
  const size = { width: 30, height: 9, isLog: false, isSmooth: false };

  it('shows the training loss, or another metric that a run has', () => {
    const labels = comparedMetrics(runs).map(({ label }) => label);
    expect(labels).toEqual(['Training loss', 'Eval loss', 'Tokens per second']);
    expect(comparedMetric(runs, choices)).toEqual(loss);
    const named = ['evalLoss', 'unknown'].map(
      name => comparedMetric(runs, { ...choices, metrics: [name] }).name,
    );
    expect(named).toEqual(['evalLoss', 'loss']);
    expect(runSeries(runs, evalLoss!, 'step').map(run => run.series.length)).toEqual([3, 0]);
  });

  it('shows the rewards first if all runs learn from them', () => {
    const learned = { losses: [0.1], rewards: [0.75], evalRewards: [0.5] };
    const labels = (...told: ToldRun[]) => comparedMetrics(compareRuns(...told)).map(({ label }) => label);
    const rewards = ['Reward', 'Held-out reward'];
    expect(labels(learned, learned)).toEqual([...rewards, 'Training loss', 'Tokens per second']);
    expect(labels(learned, { losses: [1] })).toEqual(['Training loss', ...rewards, 'Tokens per second']);
  });

  it('has an x-axis that all runs can fill', () => {
    expect(comparedAxes(runs)).toEqual(['step', 'tokens', 'time']);
    expect(comparedAxes(startCompare([A, B], isUuid))).toEqual(['step']);
    expect(comparedAxis(runs, { ...choices, x: 'epoch' })).toBe('step');
    const inTokens = runSeries(runs, loss!, comparedAxis(runs, { ...choices, x: 'tokens' }));
    expect(inTokens[0]!.series.maxStep).toBe(300);
    expect([comparedEnd(runs, 'step'), comparedEnd(compareRuns({ losses: [1] }), 'step')]).toEqual([
      20,
      null,
    ]);
  });

  it('draws the lines on the same axes, without a hidden run, whose steps still count', () => {
    const chart = comparedChart(series);
    expect([chart.x.min, chart.x.max, chart.y.min, chart.y.max]).toEqual([10, 30, 1, 5]);
    const places = chart.lines.map(({ vertices }) => vertices.map(({ x, y }) => `${x}, ${y}`));
    expect(places[0]).toEqual(['0, 0.5', '0.5, 0', '1, 0.25']);
    expect(places[1]).toEqual(['0, 1', '0.5, 0.75']);
    const shown = comparedChart(runSeries(runs, loss!, 'step', new Set([A])));
    expect(shown.lines.map(({ key }) => key)).toEqual([B]);
    expect([shown.x.max, shown.y.min, shown.y.max]).toEqual([30, 4, 5]);
    expect(comparedChart(runSeries(startCompare([A], isUuid), loss!, 'step')).waiting).toBe(true);
  });

  it('marks few points, each run at its own, and smooths over the values', () => {
    const falling = Array.from({ length: 80 }, (_, i) => 100 - i);
    const long = compareRuns({ losses: falling }, { losses: Array(80).fill(1) });
    const { lines } = comparedChart(runSeries(long, loss!, 'step'), { isSmooth: true });
    const marked = lines.map(line => line.marked.map(({ step }) => step));
    expect(marked.map(({ length }) => length)).toEqual([8, 8]);
    expect(marked[0]).not.toEqual(marked[1]);
    expect(lines[0]!.raw).toHaveLength(80);
    expect(lines[0]!.vertices[79]!.value).toBeGreaterThan(21);
  });

  it('covers in a zoom where the lines enter and leave, in both faces', () => {
    const zoom = { from: 15, to: 25 };
    const { y } = comparedChart(series, { zoom });
    expect([y.min, y.max]).toEqual([1, 4.5]);
    const cells = comparedCells(series, { ...size, zoom });
    expect(cells.lines.map(({ rows }) => rows[0])).toEqual([expect.any(Number), cells.rows - 1]);
    expect(cells.marks).toHaveLength(2);
  });

  it('reads each run at the cursor: its last value so far, and none after its end', () => {
    const chart = comparedChart(series);
    expect(comparedCursor(chart, series, 15)?.figures.map(({ value }) => value)).toEqual([3, 5]);
    expect(comparedCursor(chart, series, 30)?.figures).toMatchObject([{ label: 'run-1', value: 2, y: 0.25 }]);
    expect([comparedCursor(chart, series, 31), nearestPlace(series, 16)]).toEqual([null, 20]);
    const moved = ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'x'].map(key => movePlace(key, series, 20));
    expect(moved).toEqual([10, 30, 10, 30, null]);
  });

  it('has no place for a value that a log scale has none for, but reads it', () => {
    const fromZero = runSeries(compareRuns({ losses: [0, 1, 2] }), loss!, 'step');
    const chart = comparedChart(fromZero, { isLog: true });
    const cursor = comparedCursor(chart, fromZero, nearestPlace(fromZero, 0)!);
    expect(cursor?.figures).toMatchObject([{ value: 0, y: null }]);
  });

  it('has words for its axes and for what the cursor reads', () => {
    const [plain, smoothed] = [false, true].map(isSmooth => {
      const cursor = comparedCursor(comparedChart(series, { isSmooth }), series, 20)!;
      return comparedText(cursor, comparedWords(loss!, 'step'));
    });
    expect(plain).toBe('Step 20: run-1 1, run-2 4');
    expect(smoothed).toMatch(/^Step 20: run-1 1 \(1\.667 smoothed\), run-2 4 \(4\.\d+ smoothed\)$/);
    const { x, y, format, title } = comparedWords({ name: 'memoryBytes', label: 'Memory' }, 'time');
    expect([x, y, format?.(2000), title(65)]).toEqual(['time', '', '2 kB', 'Time 1 min 5 s']);
  });

  it('draws the same in cells, each line with its marks', () => {
    const cells = comparedCells(series, size);
    expect(cells.lines.map(({ name }) => name)).toEqual(['0', '1']);
    expect(cells.marks.filter(({ name }) => name === '1')).toEqual([
      { name: '1', column: 0, row: 7 },
      { name: '1', column: Math.round((cells.columns - 1) / 2), row: expect.any(Number) },
    ]);
    expect([cells.minStep, cells.maxStep, cells.waiting]).toEqual([10, 30, false]);
    const hidden = runSeries(runs, loss!, 'step', new Set([A]));
    const zoomed = { ...size, isLog: true, isSmooth: true, zoom: { from: 10, to: 20 } };
    expect(comparedCells(hidden, zoomed)).toMatchObject({ lines: [{ name: '1' }], maxStep: 20, note: null });
  });
});
