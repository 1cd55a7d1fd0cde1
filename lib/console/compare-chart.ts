// What the chart of a comparison shows: the metric, its x-axis, and the series of each run on it.
import { type ChartChoices, metricChoices } from './chart-choices.js';
import { type ComparedRun, runName } from './compare-view.js';
import type { ComparedCursor, ComparedFigure, RunSeries } from './compared-chart.js';
import { SERIES_LABELS } from './figures.js';
import { formatNumber } from './format.js';
import type { JobView } from './job-view.js';
import { chartableMetrics, formatMetric, metricLabel } from './metrics.js';
import type { PlotWords } from './plot-words.js';
import { plannedEnd } from './run-summary.js';
import { emptySeries, type MetricSeries } from './series.js';
import { formatX, offeredAxes, projectSeries, X_AXES, X_AXIS_LABELS, type XAxis } from './x-axis.js';

const TRAINING = 'loss';
const EVALUATION = 'evalLoss';

interface ComparedMetric {
  readonly name: string;
  readonly label: string;
}

/** The training loss always; the others if a run has them. */
export function comparedMetrics(runs: readonly ComparedRun[]): ComparedMetric[] {
  const others = runs.flatMap(({ view }) => chartableMetrics(view.metrics));
  return [
    { name: TRAINING, label: SERIES_LABELS.training },
    ...(runs.some(({ view }) => view.evaluation.length > 0)
      ? [{ name: EVALUATION, label: SERIES_LABELS.evaluation }]
      : []),
    ...[...new Set(others)].map(name => ({ name, label: metricLabel(name) })),
  ];
}

/** The chosen metric, or the training loss where no run has it. */
export function comparedMetric(runs: readonly ComparedRun[], { metrics }: ChartChoices): ComparedMetric {
  const offered = comparedMetrics(runs);
  return offered.find(({ name }) => name === metrics[0]) ?? offered[0]!;
}

export function isLossMetric({ name }: Pick<ComparedMetric, 'name'>): boolean {
  return name === TRAINING || name === EVALUATION;
}

/** How the metric is drawn. */
export function comparedChoices(choices: ChartChoices, metric: ComparedMetric): ChartChoices {
  return metricChoices(choices, metric.name);
}

/** What the chart says: its axes, its values, and how to use it. */
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

/** What a run has at the cursor: `0.5`, or `0.5 (0.52 smoothed)`. */
export function comparedValue(
  { value, smoothed }: Pick<ComparedFigure, 'value' | 'smoothed'>,
  { format = formatNumber }: ComparedWords,
): string {
  return smoothed === undefined ? format(value) : `${format(value)} (${format(smoothed)} smoothed)`;
}

/** The axes that all runs with points can fill; steps always. */
export function comparedAxes(runs: readonly ComparedRun[]): XAxis[] {
  const offered = runs.filter(({ view }) => hasPoints(view)).map(({ view }) => offeredAxes(view.metrics));
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

/** Where the last of the runs that go on will end on the x-axis; null if none does, or it is unknown. */
export function comparedEnd(runs: readonly ComparedRun[], axis: XAxis): number | null {
  const ends = runs.map(({ view }) => plannedEnd(view, axis)).filter(end => end !== null);
  return ends.length === 0 ? null : Math.max(...ends);
}

function seriesOf({ training, evaluation, metrics }: JobView, name: string): MetricSeries {
  if (name === TRAINING) return training;
  return name === EVALUATION ? evaluation : (metrics[name] ?? emptySeries);
}

function hasPoints({ training, evaluation }: JobView): boolean {
  return training.length + evaluation.length > 0;
}
