// A loss chart on a grid of character cells. The caller picks the characters to draw.
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
import { frameLines, hasPoints } from './chart-frame.js';
import type { MetricSeries } from './series.js';
import { alongZoom, within } from './series-window.js';

/** `raw` is the training loss behind its smoothed line. */
export type CellLineName = SeriesName | 'raw';

/** Its marks are the evaluation points. */
export interface CellChart extends CellDrawing<CellLineName> {
  readonly waiting: boolean;
  readonly legend: readonly SeriesName[];
  /** The smoothed training loss, with its steps on the x-axis; null without smoothing. */
  readonly smoothed: MetricSeries | null;
  /** Set when not everything can be shown. */
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
  // Only the points of the evaluation were measured, so the line that joins them goes behind the training line.
  const lines = [
    smoothed && toCellLine('raw', shown.training, grid),
    toCellLine('evaluation', shown.evaluation, grid),
    toCellLine('training', smoothed ?? shown.training, grid),
  ];
  return lines.filter(line => line !== null);
}
