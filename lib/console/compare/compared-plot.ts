// A comparison in the terminal: the chart of its runs on a grid of character cells, with a legend above and
// the values below, and the table of results.
import { placeByColumns } from '../chart/cell-chart.js';
import {
  type CellDrawing,
  type CellOptions,
  toCellGrid,
  toCellLine,
  toCellMarks,
} from '../chart/cell-grid.js';
import { chartNote } from '../chart/chart-axes.js';
import { type ChartChoices, drawOptions, modesText } from '../chart/chart-choices.js';
import { alongZoom, type ChartFrame, frameLines, within } from '../chart/chart-frame.js';
import type { Pen } from '../chart/picture-cells.js';
import { type MetricSeries, neighborOf } from '../chart/series.js';
import type { PlotColumns } from '../job/job-plot.js';
import { shortId } from '../labels.js';
import { toSafeLine } from '../safe-text.js';
import { cutToWidth, displayWidth } from '../text/display-width.js';
import { fitSpans, type Span, spansWidth, type Tone } from '../text/spans.js';
import {
  comparedAxes,
  comparedAxis,
  comparedChoices,
  comparedEnd,
  comparedFigures,
  comparedMetrics,
  comparedValue,
  comparedWords,
  MARKS,
  markIndexes,
  nearestPlace,
  type RunSeries,
  runSeries,
} from './compare-chart.js';
import type { CompareRow } from './compare-table.js';
import { type ComparedRun, type CompareView, runName } from './compare-view.js';

type Size = Pick<CellOptions, 'width' | 'height'>;

/** Everything the chart needs. The cursor is a position on the x-axis. */
export function comparedPlot(runs: readonly ComparedRun[], chosen: ChartChoices) {
  const axis = comparedAxis(runs, chosen);
  const metrics = comparedMetrics(runs);
  const metric = metrics.find(({ name }) => name === chosen.metrics[0]) ?? metrics[0]!;
  const choices = comparedChoices(chosen, metric);
  const series = runSeries(runs, metric, axis);
  const all = series.map(run => run.series);
  const words = comparedWords(metric, axis);
  const options = { ...drawOptions(choices, axis, comparedEnd(runs, axis)), format: words.format };
  return {
    ...{ axes: comparedAxes(runs), axis, metrics, metric, choices, series, words },
    /** The position of the last point. */
    latest: nearestPlace(series, Number.POSITIVE_INFINITY),
    placeOf: (at: number) => at,
    draw: (size: Size, isFine = false) => comparedCells(series, { ...options, ...size, isFine }),
    /** The chart without zoom. */
    whole: (): PlotColumns => comparedCells(series, { ...options, zoom: null, width: 0, height: 0 }),
    neighbor: (at: number, direction: -1 | 1) => neighborOf(all, at, direction),
    byColumns: (at: number, distance: number, columns: PlotColumns) =>
      placeByColumns(all, at, distance, columns),
  };
}

type ComparedPlot = ReturnType<typeof comparedPlot>;

const RUN_TONES: readonly Tone[] = ['run1', 'run2', 'run3', 'run4', 'run5', 'run6'];

/** The pen of a run, by its place. */
export function runPen(place: number, marks: readonly string[]): Pen {
  return { style: { tone: RUN_TONES[place % RUN_TONES.length] }, mark: marks[place % marks.length]! };
}

/** A run's mark, shown before its name or value. */
function runMark(place: number, marks: readonly string[]): Span {
  const { style, mark } = runPen(place, marks);
  return { text: `${mark} `, style };
}

const MOST_LEGEND_ROWS = 2;
const LEAST_NAME = 8;

export function comparedLegend(runs: CompareView, width: number, marks: readonly string[]): Span[][] {
  const rows: Span[][] = [[]];
  for (const run of runs) {
    const name = cutToWidth(toSafeLine(runName(run, runs)), Math.max(LEAST_NAME, width - 6));
    const entry = [runMark(run.place, marks), { text: `${name}   ` }];
    if (spansWidth([...rows.at(-1)!, ...entry]) <= width) rows.at(-1)!.push(...entry);
    else rows.push(entry);
  }
  return rows.slice(0, MOST_LEGEND_ROWS);
}

/** The values at the cursor or, without one, at the latest step, followed by the active modes if they fit. */
export function comparedReading(
  { series, words, latest, choices }: ComparedPlot,
  { smoothed, note }: ComparedCells,
  cursor: number | null,
  { width, marks }: { readonly width: number; readonly marks: readonly string[] },
) {
  const at = cursor ?? latest ?? 0;
  const figures = comparedFigures(series, at, smoothed);
  const spansOf = (isShort: boolean): Span[] => [
    { text: words.title(at), style: { bold: cursor !== null } },
    ...figures.flatMap(({ place, value, ...figure }) => [
      { text: '  ' },
      runMark(place, marks),
      { text: comparedValue(isShort ? { value } : { value, ...figure }, words) },
    ]),
  ];
  const long = spansOf(false);
  const left = spansWidth(long) <= width ? long : spansOf(true);
  const modes = modesText(choices, note);
  return { left, right: spansWidth(left) + displayWidth(modes) < width ? modes : '' };
}

const MISSING = '–';
const BEST: Span = { text: ' *', style: { tone: 'completed' } };
const MOST_LABEL = 21;
const WIDEST_RUN = 24;
const quiet = { dim: true };

/** One column per run, headed by its name and ID: `head` and the scrolling `body`. */
export function comparedTable(
  runs: CompareView,
  rows: readonly CompareRow[],
  width: number,
  marks: readonly string[],
): { head: Span[][]; body: Span[][] } {
  const longest = Math.max(...rows.map(({ label, values }) => (values.some(Boolean) ? label.length : 0)));
  const values = rows.flatMap(row => row.values.map(value => displayWidth(toSafeLine(value ?? MISSING))));
  const widest = Math.min(WIDEST_RUN, Math.max(0, ...values) + BEST.text.length);
  // Labels may take more than their share where the values leave room.
  const label = Math.min(
    longest,
    MOST_LABEL,
    Math.max(Math.floor(width / 4), width - runs.length * (widest + 1)),
  );
  const room = Math.min(WIDEST_RUN, Math.max(1, Math.floor((width - label) / runs.length) - 1));
  const lineOf = (name: string, cells: readonly Span[][]) => [
    ...fitSpans([{ text: name, style: quiet }], label),
    ...cells.flatMap(cell => [{ text: ' ' }, ...fitSpans(cell, room)]),
  ];
  const names = runs.map(run => [
    runMark(run.place, marks),
    { text: toSafeLine(runName(run, runs)), style: { bold: true } },
  ]);
  const ids = runs.map(({ id, named }) => [{ text: shortId(id ?? named), style: quiet }]);
  const body = rows.map(({ label: name, values, best }) => {
    // A note without values.
    if (!values.some(Boolean)) return [{ text: name, style: quiet }];
    const cells = values.map((value, index) => {
      const isBest = best.includes(index);
      const text = { text: toSafeLine(value ?? MISSING), style: { bold: isBest } };
      return isBest ? [text, BEST] : [text];
    });
    return lineOf(name, cells);
  });
  return { head: [lineOf('', names), lineOf('', ids)], body };
}

/** The spacing between marks of all lines, so that the lines stay visible. */
const CELLS_A_MARK = 5;

/** Lines and marks are named by the places of their runs. */
export interface ComparedCells extends CellDrawing<`${number}`>, Pick<ChartFrame, 'smoothed'> {
  readonly waiting: boolean;
  readonly note: string | null;
}

/** @internal */
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
