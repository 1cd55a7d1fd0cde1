// The chart of a comparison, with its legend above and what each run has at the cursor below.
import {
  type ChartChoices,
  type ComparedCells,
  type ComparedFigure,
  type ComparedWords,
  type CompareView,
  comparedAxis,
  comparedCells,
  comparedChoices,
  comparedEnd,
  comparedFigures,
  comparedMetric,
  comparedValue,
  comparedWords,
  drawOptions,
  nearestPlace,
  type RunSeries,
  runName,
  runSeries,
} from '../../../../lib/console/index.js';
import type { Size } from '../../drawing/canvas.js';
import { drawChart } from '../../drawing/chart-drawing.js';
import { modesText } from '../../drawing/chart-modes.js';
import {
  centered,
  cutLine,
  type Line,
  line,
  lineWidth,
  quiet,
  type Span,
  span,
  spread,
} from '../../drawing/line.js';
import { runPen } from '../../drawing/run-pen.js';
import type { Glyphs } from '../../terminal/glyphs.js';
import { type ComparePageState, shownRuns } from './state.js';

/** The row of the reading. */
const BELOW = 1;
const MOST_LEGEND_ROWS = 2;

/** What one drawing of the chart is made from. */
interface Frame {
  readonly series: readonly RunSeries[];
  readonly words: ComparedWords;
  readonly legend: readonly Line[];
  readonly chart: ComparedCells;
  readonly choices: ChartChoices;
}

export function comparedChartOf(state: ComparePageState, room: Size, glyphs: Glyphs): ComparedCells {
  return frameOf(state, room, glyphs).chart;
}

function frameOf(state: ComparePageState, { width, height }: Size, glyphs: Glyphs): Frame {
  const runs = shownRuns(state);
  const [metric, axis] = [comparedMetric(runs, state.choices), comparedAxis(runs, state.choices)];
  const choices = comparedChoices(state.choices, metric);
  const series = runSeries(runs, metric, axis);
  const words = comparedWords(metric, axis);
  const legend = legendLines(runs, width, glyphs);
  const chart = comparedCells(series, {
    ...drawOptions(choices, axis, comparedEnd(runs, axis)),
    width,
    height: height - BELOW - legend.length,
    format: words.format,
    isFine: glyphs.hasBraille,
  });
  return { series, words, legend, chart, choices };
}

export function chartContent(state: ComparePageState, room: Size, glyphs: Glyphs): Line[] {
  const frame = frameOf(state, room, glyphs);
  const { chart, legend } = frame;
  if (chart.waiting) return centered([line('Waiting for the first value…', quiet)], room.width, room.height);
  const { cursor } = state;
  const isInside = cursor !== null && cursor >= chart.minStep && cursor <= chart.maxStep;
  return [
    ...legend,
    ...drawChart(chart, isInside ? cursor : null, glyphs, name => runPen(Number(name), glyphs)),
    readingLine(state, frame, room.width, glyphs),
  ];
}

function legendLines(runs: CompareView, width: number, glyphs: Glyphs): Line[] {
  const rows: Span[][] = [[]];
  for (const run of runs) {
    const { style, mark } = runPen(run.place, glyphs);
    const entry = [
      span(`${mark} `, style),
      ...cutLine([span(runName(run, runs))], Math.max(8, width - 6)),
      span('   '),
    ];
    const last = rows.at(-1)!;
    if (last.length > 0 && lineWidth(last) + lineWidth(entry) > width) rows.push(entry);
    else last.push(...entry);
  }
  return rows.slice(0, MOST_LEGEND_ROWS);
}

/** The values at the cursor or, without one, at the latest step. */
function readingLine(
  state: ComparePageState,
  { series, words, chart, choices }: Frame,
  width: number,
  glyphs: Glyphs,
): Line {
  const at = state.cursor ?? nearestPlace(series, Number.POSITIVE_INFINITY) ?? 0;
  const figures = comparedFigures(series, at, chart.smoothed);
  const spansOf = (textOf: (figure: ComparedFigure) => string) => [
    span(words.title(at), { bold: state.cursor !== null }),
    ...figures.flatMap(figure => {
      const { style, mark } = runPen(figure.place, glyphs);
      return [span(`  ${mark} `, style), span(textOf(figure))];
    }),
  ];
  const whole = spansOf(figure => comparedValue(figure, words));
  const left = lineWidth(whole) <= width ? whole : spansOf(({ value }) => comparedValue({ value }, words));
  const modes = line(modesText(choices, chart.note), quiet);
  return lineWidth(left) + lineWidth(modes) < width ? spread(left, modes, width) : left;
}
