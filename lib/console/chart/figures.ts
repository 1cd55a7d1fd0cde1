// Texts of charts and statistics cards: labels, formatted values, axes, and instructions.
import { formatCount, formatNumber } from '../text/format.js';
import type { ChartReading, SeriesName, SeriesPair } from './chart.js';
import { formatMetric, isScoreMetric, type MetricTable, mainCurve, metricLabel } from './metrics.js';
import { emptySeries } from './series.js';
import type { Summary } from './statistics.js';
import { formatX, stepOfX, X_AXIS_LABELS, type XAxis } from './x-axis.js';

export const SERIES_LABELS: Readonly<Record<SeriesName, string>> = {
  training: 'Training loss',
  evaluation: 'Eval loss',
};

const SMOOTHED_LABEL = 'Smoothed';

interface Figure {
  readonly label: string;
  readonly value: string;
}

/** The names and formats of a chart's values; by default, those of the loss chart. */
interface ReadingWords {
  readonly labels?: Readonly<Record<SeriesName, string>> | undefined;
  readonly format?: ((value: number) => string) | undefined;
  readonly title?: ((x: number) => string) | undefined;
}

/** The values in a reading, each with its series. */
export function readingFigures(
  { loss, evalLoss, smoothed }: ChartReading,
  { labels = SERIES_LABELS, format = formatNumber }: ReadingWords = {},
): (Figure & { readonly series: SeriesName })[] {
  const figures = [
    { series: 'training', label: labels.training, value: loss },
    { series: 'training', label: SMOOTHED_LABEL, value: smoothed },
    { series: 'evaluation', label: labels.evaluation, value: evalLoss },
  ] as const;
  return figures.flatMap(({ series, label, value }) =>
    value === undefined ? [] : [{ series, label, value: format(value) }],
  );
}

/** A reading for screen readers: `Step 20: training loss 0.512, eval loss 0.6`. */
export function readingText(reading: ChartReading, words: ReadingWords = {}): string {
  const parts = readingFigures(reading, words).map(({ label, value }) => `${label.toLowerCase()} ${value}`);
  return `${(words.title ?? stepTitle)(reading.step)}: ${parts.join(', ')}`;
}

const stepTitle = (step: number) => `Step ${formatCount(step)}`;

/** The figures of a statistics card; empty while there are no values. */
export function summaryFigures(summary: Summary): Figure[] {
  if (summary.count === 0) return [];
  const { mean, halfWidth, standardDeviation, variance, p90, p95 } = summary;
  return [
    {
      label: 'Mean, 95% CI',
      value: halfWidth === null ? figure(mean) : `${figure(mean)} ± ${figure(halfWidth)}`,
    },
    { label: 'Std. deviation', value: figure(standardDeviation) },
    { label: 'Variance', value: figure(variance) },
    { label: 'p90', value: figure(p90) },
    { label: 'p95', value: figure(p95) },
    { label: 'Values', value: formatCount(summary.count) },
  ];
}

function figure(value: number | null): string {
  return formatNumber(value ?? Number.NaN);
}

/** The texts of a loss or metric chart: its axes, its values, and instructions. */
export interface PlotWords {
  readonly x: string;
  readonly y: string;
  readonly labels: Readonly<Record<SeriesName, string>>;
  /** Formats values and y-axis ticks; plain numbers by default. */
  readonly format?: ((value: number) => string) | undefined;
  /** The crosshair's position in words. */
  readonly title: (x: number) => string;
  readonly hint: string;
  /** Its points are scores rather than evaluations, and look different. */
  readonly isScore: boolean;
}

/** The losses or rewards of a run, as its main chart shows them. */
export function mainPair(losses: SeriesPair, metrics: MetricTable): SeriesPair {
  if (mainCurve(metrics) === 'loss') return losses;
  return { training: metrics.reward!, evaluation: metrics.evalReward ?? emptySeries };
}

/** A metric goes in a chart's first line; a score, which has few points, in the line with marks. */
export function metricPair(metrics: MetricTable, name: string): SeriesPair {
  const series = metrics[name] ?? emptySeries;
  return isScoreMetric(name)
    ? { training: emptySeries, evaluation: series }
    : { training: series, evaluation: emptySeries };
}

/** `name`: `loss` or the name of a metric. */
export function plotWords(name: string, axis: XAxis, metrics: MetricTable): PlotWords {
  const isLoss = name === 'loss';
  const label = isLoss ? 'Loss' : metricLabel(name);
  const keys = 'use the left and right arrow keys to move between steps, plus and minus to zoom';
  return {
    x: X_AXIS_LABELS[axis],
    y: isLoss ? 'loss' : '',
    labels: isLoss
      ? SERIES_LABELS
      : { training: label, evaluation: name === 'reward' ? metricLabel('evalReward') : label },
    ...(!isLoss &&
      formatMetric(name, 1) !== formatNumber(1) && { format: (value: number) => formatMetric(name, value) }),
    title: x => {
      const step = `Step ${formatCount(stepOfX(metrics, axis, x))}`;
      return axis === 'step' ? step : `${step} · ${placeText(axis, x)}`;
    },
    hint: `${label} chart: ${keys}${isLoss ? ', and Enter to show the rows of a step' : ''}`,
    isScore: isScoreMetric(name),
  };
}

function placeText(axis: XAxis, x: number): string {
  return axis === 'time' ? formatX(axis, x) : `${X_AXIS_LABELS[axis]} ${formatX(axis, x)}`;
}
