// One metric of several runs on a grid of character cells, their lines over one another.
import { type CellDrawing, type CellOptions, toCellGrid, toCellLine, toCellMarks } from './cell-grid.js';
import { chartNote } from './chart-axes.js';
import { type ChartFrame, frameLines } from './chart-frame.js';
import { MARKS, markIndexes, type RunSeries } from './compared-chart.js';
import type { MetricSeries } from './series.js';
import { alongZoom, within } from './series-window.js';

/** Between the marks of all lines, so that the lines can still be seen. */
const CELLS_A_MARK = 5;

/** Lines and marks are named by the places of their runs. */
export interface ComparedCells extends CellDrawing<`${number}`>, Pick<ChartFrame, 'smoothed'> {
  readonly waiting: boolean;
  readonly note: string | null;
}

export function comparedCells(runs: readonly RunSeries[], options: CellOptions): ComparedCells {
  const { zoom = null } = options;
  const shown = runs.filter(({ isHidden }) => !isHidden);
  const lines = shown.map(({ series }) => series);
  const { scale, points, smoothed } = frameLines(lines, [], options);
  const along = (series: MetricSeries) => alongZoom(series, zoom, scale?.isLog ?? false);
  const grid = toCellGrid(lines.map(along), scale, options);
  const drawn = shown.map(({ place, series }) => ({
    place,
    name: `${place}` as const,
    line: smoothed(series) ?? series,
  }));
  const marks = Math.max(1, Math.min(MARKS, Math.floor(grid.columns / (CELLS_A_MARK * shown.length))));
  return {
    ...grid,
    smoothed,
    waiting: runs.every(({ series }) => series.length === 0),
    lines: drawn.map(({ name, line }) => toCellLine(name, along(line), grid)).filter(line => line !== null),
    marks: drawn.flatMap(({ name, place, line }) => {
      const inside = within(line, zoom);
      return toCellMarks(name, inside, markIndexes(inside.length, place, marks), grid);
    }),
    note: chartNote(points, scale, options),
  };
}
