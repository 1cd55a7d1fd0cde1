// What a chart of the losses or of a metric says: its axes, its values, and how to use it.

import type { SeriesName, SeriesPair } from './chart.js';
import { SERIES_LABELS } from './figures.js';
import { formatCount, formatNumber } from './format.js';
import { formatMetric, isScoreMetric, type MetricTable, metricLabel } from './metrics.js';
import { emptySeries } from './series.js';
import { formatX, stepOfX, X_AXIS_LABELS, type XAxis } from './x-axis.js';

export interface PlotWords {
  readonly x: string;
  readonly y: string;
  readonly labels: Readonly<Record<SeriesName, string>>;
  /** Writes a value and a tick of the y-axis; without it, both are plain numbers. */
  readonly format?: ((value: number) => string) | undefined;
  /** The place of the crosshair. */
  readonly title: (x: number) => string;
  readonly hint: string;
  /** Its points are not evaluations, and look different. */
  readonly isScore: boolean;
}

/** Of the two lines of a chart, a metric is the first, and a score, with few points, the one with points. */
export function metricPair(metrics: MetricTable, name: string): SeriesPair {
  const series = metrics[name] ?? emptySeries;
  return isScoreMetric(name)
    ? { training: emptySeries, evaluation: series }
    : { training: series, evaluation: emptySeries };
}

/** `loss`, or the name of a metric. */
export function plotWords(name: string, axis: XAxis, metrics: MetricTable): PlotWords {
  const isLoss = name === 'loss';
  const label = isLoss ? 'Loss' : metricLabel(name);
  const keys = 'use the left and right arrow keys to move between steps, plus and minus to zoom';
  return {
    x: X_AXIS_LABELS[axis],
    y: isLoss ? 'loss' : '',
    labels: isLoss ? SERIES_LABELS : { training: label, evaluation: label },
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
