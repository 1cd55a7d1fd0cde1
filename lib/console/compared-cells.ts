// One metric of several runs on a grid of character cells, their lines over one another.
import { cellNote } from './cell-chart.js';
import { type CellDrawing, type CellOptions, toCellGrid, toCellLine, toCellMarks } from './cell-grid.js';
import { MARKS, markIndexes, type RunSeries } from './compared-chart.js';
import { within } from './series-window.js';
import { smoothSeries } from './smoothing.js';

/** Between the marks of all lines, so that the lines can still be seen. */
const CELLS_A_MARK = 5;

/** Lines and marks are named by the places of their runs. */
export interface ComparedCells extends CellDrawing<`${number}`> {
  readonly waiting: boolean;
  readonly note: string | null;
}

export function comparedCells(runs: readonly RunSeries[], options: CellOptions): ComparedCells {
  const { zoom = null, isSmooth } = options;
  const shown = runs
    .filter(({ isHidden }) => !isHidden)
    .map(({ place, series }) => {
      return { place, name: `${place}` as const, series, framed: within(series, zoom) };
    });
  const framed = shown.map(run => run.framed).filter(({ length }) => length > 0);
  const grid = toCellGrid(framed, options);
  const drawn = shown.map(({ place, name, series, framed }) => {
    const isSmoothed = isSmooth && series.length > 1;
    return {
      place,
      name,
      line: isSmoothed ? within(smoothSeries(series, grid.range.isLog), zoom) : framed,
    };
  });
  const marks = Math.max(1, Math.min(MARKS, Math.floor(grid.columns / (CELLS_A_MARK * shown.length))));
  return {
    ...grid,
    waiting: runs.every(({ series }) => series.length === 0),
    lines: drawn.map(({ name, line }) => toCellLine(name, line, grid)).filter(line => line !== null),
    marks: drawn.flatMap(({ name, place, line }) =>
      toCellMarks(name, line, markIndexes(line.length, place, marks), grid),
    ),
    note: cellNote(framed, options, grid),
  };
}
