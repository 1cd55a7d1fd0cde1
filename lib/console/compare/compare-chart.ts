// The chart of a comparison: its metric, its x-axis, and the series of each run. Positions are fractions of
// the plot.
import {
  type ChartAxes,
  type ChartVertex,
  chartNote,
  type DrawOptions,
  toAxes,
  toVertices,
} from '../chart/chart-axes.js';
import { type ChartChoices, metricChoices } from '../chart/chart-choices.js';
import { aroundZoom, type ChartFrame, frameLines, hasPoints } from '../chart/chart-frame.js';
import { type PlotWords, SERIES_LABELS } from '../chart/figures.js';
import { chartableMetrics, formatMetric, mainCurve, metricLabel } from '../chart/metrics.js';
import {
  emptySeries,
  type MetricSeries,
  moveAmong,
  nearestOf,
  stepBefore,
  valueAtStep,
} from '../chart/series.js';
import { toFraction } from '../chart/ticks.js';
import { valueFraction } from '../chart/value-axis.js';
import { formatX, offeredAxes, projectSeries, X_AXES, X_AXIS_LABELS, type XAxis } from '../chart/x-axis.js';
import type { JobView } from '../job/job-view.js';
import { plannedEnd } from '../job/run-summary.js';
import { formatNumber } from '../text/format.js';
import { type ComparedRun, runName } from './compare-view.js';

const TRAINING = 'loss';
const EVALUATION = 'evalLoss';
const REWARDS = ['reward', 'evalReward'];

export interface ComparedMetric {
  readonly name: string;
  readonly label: string;
}

/** The training loss, and other metrics that at least one run has; rewards first if all runs learn from them. */
export function comparedMetrics(runs: readonly ComparedRun[]): ComparedMetric[] {
  const others = [...new Set(runs.flatMap(({ view }) => chartableMetrics(view.metrics)))];
  const losses = [
    { name: TRAINING, label: SERIES_LABELS.training },
    ...(runs.some(({ view }) => view.evaluation.length > 0)
      ? [{ name: EVALUATION, label: SERIES_LABELS.evaluation }]
      : []),
  ];
  const labeled = (names: readonly string[]) => names.map(name => ({ name, label: metricLabel(name) }));
  const rewards = labeled(REWARDS.filter(name => runs.some(({ view }) => view.metrics[name])));
  const measured = runs.filter(({ view }) => hasLosses(view));
  const learnFromRewards =
    measured.length > 0 && measured.every(({ view }) => mainCurve(view.metrics) === 'reward');
  return [...(learnFromRewards ? [...rewards, ...losses] : [...losses, ...rewards]), ...labeled(others)];
}

/** The chosen metric, or the first one if no run has it. */
export function comparedMetric(runs: readonly ComparedRun[], { metrics }: ChartChoices): ComparedMetric {
  const offered = comparedMetrics(runs);
  return offered.find(({ name }) => name === metrics[0]) ?? offered[0]!;
}

export function isLossMetric({ name }: Pick<ComparedMetric, 'name'>): boolean {
  return name === TRAINING || name === EVALUATION;
}

/** Limits choices to what applies to the metric. */
export function comparedChoices(choices: ChartChoices, metric: ComparedMetric): ChartChoices {
  return metricChoices(choices, metric.name);
}

/** The chart's texts: its axes, its values, and instructions. */
export type ComparedWords = Pick<PlotWords, 'x' | 'y' | 'format' | 'title' | 'hint'>;

export function comparedWords(metric: ComparedMetric, axis: XAxis): ComparedWords {
  const isLoss = isLossMetric(metric);
  const name = X_AXIS_LABELS[axis];
  return {
    x: name,
    y: isLoss ? 'loss' : '',
    format: isLoss ? undefined : value => formatMetric(metric.name, value),
    title: x => `${name.charAt(0).toUpperCase()}${name.slice(1)} ${formatX(axis, x)}`,
    hint: `${metric.label} of each run: use the left and right arrow keys to move between steps, plus and minus to zoom`,
  };
}

/** The values at the cursor for screen readers: `Step 20: triage 0.5, tone 0.7`. */
export function comparedText({ step, figures }: ComparedCursor, words: ComparedWords): string {
  const values = figures.map(figure => `${figure.label} ${comparedValue(figure, words)}`);
  return `${words.title(step)}: ${values.join(', ')}`;
}

/** A run's value at the cursor: `0.5`, or `0.5 (0.52 smoothed)`. */
export function comparedValue(
  { value, smoothed }: Pick<ComparedFigure, 'value' | 'smoothed'>,
  { format = formatNumber }: ComparedWords,
): string {
  return smoothed === undefined ? format(value) : `${format(value)} (${format(smoothed)} smoothed)`;
}

/** The axes that all runs with points support; always includes steps. */
export function comparedAxes(runs: readonly ComparedRun[]): XAxis[] {
  const offered = runs.filter(({ view }) => hasLosses(view)).map(({ view }) => offeredAxes(view.metrics));
  return X_AXES.filter(
    axis => axis === 'step' || (offered.length > 0 && offered.every(axes => axes.includes(axis))),
  );
}

export function comparedAxis(runs: readonly ComparedRun[], { x }: ChartChoices): XAxis {
  return comparedAxes(runs).includes(x) ? x : 'step';
}

export function runSeries(
  runs: readonly ComparedRun[],
  metric: ComparedMetric,
  axis: XAxis,
  hidden: ReadonlySet<string> = new Set(),
): RunSeries[] {
  return runs.map(run => ({
    key: run.named,
    place: run.place,
    label: runName(run, runs),
    series: projectSeries(seriesOf(run.view, metric.name), run.view.metrics, axis),
    isHidden: hidden.has(run.named),
  }));
}

/**
 * The latest planned end of the runs in progress on the x-axis; null if none is in progress or it is unknown.
 */
export function comparedEnd(runs: readonly ComparedRun[], axis: XAxis): number | null {
  const ends = runs.map(({ view }) => plannedEnd(view, axis)).filter(end => end !== null);
  return ends.length === 0 ? null : Math.max(...ends);
}

function seriesOf({ training, evaluation, metrics }: JobView, name: string): MetricSeries {
  if (name === TRAINING) return training;
  return name === EVALUATION ? evaluation : (metrics[name] ?? emptySeries);
}

function hasLosses({ training, evaluation }: JobView): boolean {
  return training.length + evaluation.length > 0;
}

/** A run's series on the current x-axis. `place` determines its color and mark. */
export interface RunSeries {
  readonly key: string;
  readonly place: number;
  readonly label: string;
  readonly series: MetricSeries;
  readonly isHidden: boolean;
}

interface ComparedLine extends Pick<RunSeries, 'key' | 'place'> {
  readonly vertices: readonly ChartVertex[];
  /** The unsmoothed values behind a smoothed line. */
  readonly raw: readonly ChartVertex[];
  /** The vertices that carry the run's mark. */
  readonly marked: readonly ChartVertex[];
}

interface ComparedChart extends ChartAxes, Pick<ChartFrame, 'smoothed'> {
  readonly waiting: boolean;
  readonly lines: readonly ComparedLine[];
  readonly note: string | null;
}

export interface ComparedFigure extends Pick<RunSeries, 'key' | 'place' | 'label'> {
  readonly value: number;
  /** The value of the smoothed line. */
  readonly smoothed?: number;
}

export interface ComparedCursor {
  readonly step: number;
  readonly x: number;
  /** `y`: null if the axis has no place for the value. */
  readonly figures: readonly (ComparedFigure & { readonly y: number | null })[];
}

/** The approximate number of marks per line; a run with fewer points has one at each. */
export const MARKS = 8;

export function comparedChart(runs: readonly RunSeries[], options: DrawOptions = {}): ComparedChart {
  const { zoom = null } = options;
  const all = runs.map(({ series }) => series);
  const shown = runs.filter(({ isHidden }) => !isHidden);
  const filled = shown.map(({ series }) => series).filter(hasPoints);
  const frame = frameLines(filled.length > 0 ? filled : all, all, options);
  const axes = toAxes(all, frame.scale, options);
  const draw = (series: MetricSeries) => toVertices(aroundZoom(series, zoom), axes);
  return {
    ...axes,
    waiting: all.every(({ length }) => length === 0),
    smoothed: frame.smoothed,
    lines: shown.map(({ key, place, series }) => {
      const smoothed = frame.smoothed(series);
      const vertices = draw(smoothed ?? series);
      const marked = markIndexes(vertices.length, place).map(index => vertices[index]!);
      return { key, place, vertices, raw: smoothed ? draw(series) : [], marked };
    }),
    note: chartNote(frame.points, frame.scale, options),
  };
}

/** Each visible run's value at a position on the x-axis, and its position in the chart. */
export function comparedCursor(
  { x, y, smoothed }: Pick<ComparedChart, 'x' | 'y' | 'smoothed'>,
  runs: readonly RunSeries[],
  at: number,
): ComparedCursor | null {
  if (at < x.min || at > x.max) return null;
  const figures = comparedFigures(runs, at, smoothed).map(figure => {
    const place = valueFraction(y, figure.value);
    return { ...figure, y: Number.isNaN(place) ? null : place };
  });
  return figures.length === 0 ? null : { step: at, x: toFraction(at, x.min, x.max), figures };
}

/** Each visible run's value at a position on the x-axis, or its last one before. */
export function comparedFigures(
  runs: readonly RunSeries[],
  at: number,
  smoothed: ChartFrame['smoothed'],
): ComparedFigure[] {
  return visible(runs).flatMap(({ key, place, label, series }) => {
    const value = valueUpTo(series, at);
    if (value === undefined) return [];
    const line = smoothed(series);
    const calm = line ? valueUpTo(line, at) : undefined;
    return [{ key, place, label, value, ...(calm !== undefined && { smoothed: calm }) }];
  });
}

/** The x-axis position of the visible point nearest to a position. */
export function nearestPlace(runs: readonly RunSeries[], at: number): number | null {
  return nearestOf(visibleSeries(runs), at);
}

export function movePlace(key: string, runs: readonly RunSeries[], at: number): number | null {
  return moveAmong(key, visibleSeries(runs), at);
}

/** A run has no value after its last point. */
function valueUpTo(series: MetricSeries, at: number): number | undefined {
  if (series.maxStep === null || at > series.maxStep) return undefined;
  const step = stepBefore(series, at, true);
  return step === null ? undefined : valueAtStep(series, step);
}

function visibleSeries(runs: readonly RunSeries[]): MetricSeries[] {
  return visible(runs).map(({ series }) => series);
}

function visible(runs: readonly RunSeries[]): RunSeries[] {
  return runs.filter(({ isHidden }) => !isHidden);
}

/**
 * Spaces marks evenly along a line, with an offset per run, so that overlapping lines do not hide each
 * other's marks.
 */
export function markIndexes(length: number, place: number, marks = MARKS): number[] {
  if (length <= marks) return Array.from({ length }, (_, index) => index);
  const gap = length / marks;
  const first = (gap * ((place * 5) % MARKS)) / MARKS;
  return Array.from({ length: marks }, (_, index) => Math.floor(first + index * gap));
}
