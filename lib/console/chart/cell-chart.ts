// A loss chart on a grid of character cells, and its cursor. The caller picks the characters.
import {
  type CellDrawing,
  type CellGrid,
  type CellLine,
  type CellOptions,
  toCellGrid,
  toCellLine,
  toCellMarks,
} from './cell-grid.js';
import type { SeriesName, SeriesPair } from './chart.js';
import { chartNote } from './chart-axes.js';
import { alongZoom, frameLines, hasPoints, within } from './chart-frame.js';
import { type MetricSeries, nearestOf, neighborOf } from './series.js';

/** `raw` is the unsmoothed training loss behind the smoothed line. */
export type CellLineName = SeriesName | 'raw';

/** The marks are the evaluation points. */
export interface CellChart extends CellDrawing<CellLineName> {
  readonly waiting: boolean;
  readonly legend: readonly SeriesName[];
  /** The smoothed training loss in x-axis coordinates; null without smoothing. */
  readonly smoothed: MetricSeries | null;
  /** Set if not everything can be shown. */
  readonly note: string | null;
}

export function cellChart(pair: SeriesPair, options: CellOptions): CellChart {
  const { zoom = null } = options;
  const shown = { training: within(pair.training, zoom), evaluation: within(pair.evaluation, zoom) };
  const lines = [pair.training, pair.evaluation];
  const { scale, smoothed: smoothedOf } = frameLines(lines, [], options, [pair.training]);
  const along = (series: MetricSeries) => alongZoom(series, zoom, scale?.isLog ?? false);
  const all = [shown.training, shown.evaluation].filter(hasPoints);
  const grid = toCellGrid(lines.map(along), scale, options);
  const smoothed = smoothedOf(pair.training);
  const evaluations = Array.from({ length: shown.evaluation.length }, (_, index) => index);
  return {
    ...grid,
    waiting: pair.training.length + pair.evaluation.length === 0,
    smoothed,
    lines: toLines(
      { training: along(pair.training), evaluation: along(pair.evaluation) },
      smoothed && along(smoothed),
      grid,
    ),
    marks: toCellMarks('evaluation', shown.evaluation, evaluations, grid),
    legend: pair.evaluation.length > 0 ? ['training', 'evaluation'] : ['training'],
    note: chartNote(all, scale, options),
  };
}

function toLines(shown: SeriesPair, smoothed: MetricSeries | null, grid: CellGrid): CellLine<CellLineName>[] {
  // Only the evaluation points were measured, so the line between them goes behind the training line.
  const lines = [
    smoothed && toCellLine('raw', shown.training, grid),
    toCellLine('evaluation', shown.evaluation, grid),
    toCellLine('training', smoothed ?? shown.training, grid),
  ];
  return lines.filter(line => line !== null);
}

interface Columns {
  readonly columns: number;
  readonly minStep: number;
  readonly maxStep: number;
}

/**
 * The step `distance` columns away, or at least the next one in that direction; null if there is none. Moving
 * by columns makes each key press visible even where several steps share a column.
 */
export function stepByColumns(
  { training, evaluation }: SeriesPair,
  step: number,
  distance: number,
  chart: Columns,
): number | null {
  return placeByColumns([training, evaluation], step, distance, chart);
}

/** Like `stepByColumns`, for any series. */
export function placeByColumns(
  all: readonly MetricSeries[],
  step: number,
  distance: number,
  { columns, minStep, maxStep }: Columns,
): number | null {
  const next = neighborOf(all, step, distance < 0 ? -1 : 1);
  if (next === null) return null;
  const aim = step + (distance * (maxStep - minStep)) / Math.max(1, columns - 1);
  const far = nearestOf(all, aim);
  return far !== null && (far - step) * Math.sign(distance) > (next - step) * Math.sign(distance)
    ? far
    : next;
}
