// A comparison as lines: what is missing, the chart, and below it a table with a column for each run.
import {
  type CompareRow,
  type CompareView,
  comparedMetric,
  compareHint,
  foundRuns,
  LEAST_COMPARED,
  noDifference,
  plural,
  type RowPlace,
  type RowSource,
  resultRows,
  runName,
  settingDifferences,
  shortId,
} from '../../../../lib/console/index.js';
import type { Canvas, Drawn, Size } from '../../drawing/canvas.js';
import { centered, fitLine, type Line, line, quiet, type Span, span } from '../../drawing/line.js';
import { insidePanel, panel } from '../../drawing/panel.js';
import { runPen } from '../../drawing/run-pen.js';
import { problemRows } from '../../drawing/words.js';
import type { Glyphs } from '../../terminal/glyphs.js';
import { chartContent } from './chart-panel.js';
import { type ComparePageState, shownRuns } from './state.js';

/** The names and the IDs of the runs, which do not scroll. */
const TABLE_HEAD = 2;
const LEAST_TABLE = TABLE_HEAD + 3;
const LEAST_CHART = 8;
const MISSING = '–';
const BEST = '*';
const GAP = 1;

interface CompareLayout {
  readonly chart: Size;
  /** The rows of the table that scroll. */
  readonly table: Size;
}

/** The space inside the panels. Where both do not fit, the table gives way. */
export function layOutCompare(state: ComparePageState, now: number, canvas: Canvas): CompareLayout {
  const { width } = canvas;
  const height = canvas.height - headLines(state, canvas).length;
  const wanted = TABLE_HEAD + tableRows(shownRuns(state), now).length + 2;
  const most = Math.max(LEAST_TABLE + 2, Math.round(height * 0.45));
  const table = Math.min(wanted, most, Math.max(0, height - LEAST_CHART));
  return {
    chart: insidePanel({ width, height: height - table }),
    table: { width: width - 4, height: Math.max(1, table - 2 - TABLE_HEAD) },
  };
}

export function drawCompare(
  state: ComparePageState,
  places: readonly RowPlace[],
  now: number,
  canvas: Canvas,
): Drawn {
  const { width, height, glyphs } = canvas;
  const head = headLines(state, canvas);
  const runs = shownRuns(state);
  if (runs.length === 0) {
    const isLooking = foundRuns(state.runs).length > 0 && state.problem === null;
    const texts = isLooking
      ? [line('Loading…', quiet)]
      : [line('Nothing to compare', { bold: true }), line(compareHint(0), quiet)];
    return { lines: [...head, ...centered(texts, width, height - head.length)] };
  }
  const layout = layOutCompare(state, now, canvas);
  const chartBox = { width, height: layout.chart.height + 2, glyphs };
  const tableBox = { width, height: height - head.length - chartBox.height, glyphs };
  const title = comparedMetric(runs, state.choices).label;
  const table = [
    ...tableHead(runs, layout.table.width, glyphs),
    ...tableLines(tableRows(runs, now), places, runs, layout.table.width),
  ];
  return {
    lines: [
      ...head,
      ...panel(chartContent(state, layout.chart, glyphs), { ...chartBox, title }),
      ...panel(table, { ...tableBox, title: 'Results, and settings that differ' }),
    ],
  };
}

export function compareStatus(state: ComparePageState): Line {
  const found = shownRuns(state).length;
  return line(found < LEAST_COMPARED ? compareHint(found) : `Comparing ${plural(found, 'run')}`, quiet);
}

export function tableSource(state: ComparePageState, now: number): RowSource {
  return { first: 0, end: tableRows(shownRuns(state), now).length, rowsOf: () => 1 };
}

function headLines({ runs, problem }: ComparePageState, { width, glyphs }: Canvas): Line[] {
  const missing = runs.filter(run => run.problem !== null);
  return [
    ...problemRows(problem, { width, glyphs }, 2),
    ...missing.flatMap(run => problemRows(`${shortId(run.named)}: ${run.problem}`, { width, glyphs }, 1)),
  ];
}

/** The results, a blank row, and the settings. */
function tableRows(runs: CompareView, now: number): CompareRow[] {
  const differences = settingDifferences(runs);
  const blank = { label: '', values: runs.map(() => ''), best: [] };
  const note = { ...blank, label: noDifference(runs) };
  return [...resultRows(runs, now), blank, ...(differences.length > 0 ? differences : [note])];
}

interface Widths {
  readonly label: number;
  readonly run: number;
}

const MOST_LABEL = 20;
const WIDEST_RUN = 24;

function widthsOf(rows: readonly CompareRow[], count: number, width: number): Widths {
  const longest = Math.max(0, ...rows.map(({ label, values }) => (values.some(Boolean) ? label.length : 0)));
  const label = Math.min(longest, MOST_LABEL, Math.floor(width / 4));
  return { label, run: Math.min(WIDEST_RUN, Math.max(1, Math.floor((width - label) / count) - GAP)) };
}

function tableHead(runs: CompareView, width: number, glyphs: Glyphs): Line[] {
  const widths = widthsOf(tableRows(runs, 0), runs.length, width);
  const names = runs.map(run => {
    const { style, mark } = runPen(run.place, glyphs);
    return [span(`${mark} `, style), span(runName(run, runs), { bold: true })];
  });
  const ids = runs.map(({ id, named }) => line(shortId(id ?? named), quiet));
  return [tableLine([], names, widths), tableLine([], ids, widths)];
}

function tableLines(
  rows: readonly CompareRow[],
  places: readonly RowPlace[],
  runs: CompareView,
  width: number,
): Line[] {
  const widths = widthsOf(rows, runs.length, width);
  return places.flatMap(({ item }) => {
    const row = rows[item];
    if (!row) return [];
    // A note in place of values.
    if (!row.values.some(Boolean)) return [line(row.label, quiet)];
    return [
      tableLine(
        line(row.label, quiet),
        runs.map((_, index) => valueSpans(row, index)),
        widths,
      ),
    ];
  });
}

function valueSpans({ values, best }: CompareRow, index: number): Span[] {
  const isBest = best.includes(index);
  const value = span(values[index] ?? MISSING, { bold: isBest });
  return isBest ? [value, span(` ${BEST}`, { tone: 'completed' })] : [value];
}

function tableLine(label: Line, cells: readonly Line[], { label: room, run }: Widths): Line {
  const gap = span(' '.repeat(GAP));
  return [...fitLine(label, room), ...cells.flatMap(cell => [gap, ...fitLine(cell, run)])];
}
