// The chart of a comparison, with its legend above and what each run has at the cursor below.
import {
  type ComparedCells,
  comparedAxis,
  comparedCells,
  comparedChart,
  comparedCursor,
  comparedEnd,
  comparedMetric,
  comparedWords,
  formatNumber,
  isLossMetric,
  nearestPlace,
  runName,
} from '../../../../lib/console/index.js';
import type { Size } from '../../drawing/canvas.js';
import { drawChart } from '../../drawing/chart-drawing.js';
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
import { type ComparePageState, shownRuns, shownSeries } from './state.js';

/** The row of the reading. */
const BELOW = 1;
const MOST_LEGEND_ROWS = 2;

export function comparedChartOf(state: ComparePageState, room: Size, glyphs: Glyphs): ComparedCells {
  const runs = shownRuns(state);
  const { choices } = state;
  const [metric, axis] = [comparedMetric(runs, choices), comparedAxis(runs, choices)];
  return comparedCells(shownSeries(state), {
    ...choices,
    // Losses alone are compared on a logarithmic scale.
    isLog: choices.isLog && isLossMetric(metric),
    width: room.width,
    height: room.height - BELOW - legendLines(state, room.width, glyphs).length,
    axis,
    reach: choices.toPlannedEnd ? comparedEnd(runs, axis) : null,
    format: comparedWords(metric, axis).format,
    isFine: glyphs.hasBraille,
  });
}

export function chartContent(state: ComparePageState, room: Size, glyphs: Glyphs): Line[] {
  const chart = comparedChartOf(state, room, glyphs);
  if (chart.waiting) return centered([line('Waiting for the first value…', quiet)], room.width, room.height);
  const { cursor } = state;
  const isInside = cursor !== null && cursor >= chart.minStep && cursor <= chart.maxStep;
  return [
    ...legendLines(state, room.width, glyphs),
    ...drawChart(chart, isInside ? cursor : null, glyphs, name => runPen(Number(name), glyphs)),
    readingLine(state, chart, room.width, glyphs),
  ];
}

function legendLines(state: ComparePageState, width: number, glyphs: Glyphs): Line[] {
  const rows: Span[][] = [[]];
  for (const run of shownRuns(state)) {
    const { style, mark } = runPen(run.place, glyphs);
    const entry = [
      span(`${mark} `, style),
      ...cutLine([span(runName(run))], Math.max(8, width - 6)),
      span('   '),
    ];
    const last = rows.at(-1)!;
    if (last.length > 0 && lineWidth(last) + lineWidth(entry) > width) rows.push(entry);
    else last.push(...entry);
  }
  return rows.slice(0, MOST_LEGEND_ROWS);
}

/** The values at the cursor or, without one, at the latest step. */
function readingLine(state: ComparePageState, chart: ComparedCells, width: number, glyphs: Glyphs): Line {
  const runs = shownRuns(state);
  const series = shownSeries(state);
  const axis = comparedAxis(runs, state.choices);
  const words = comparedWords(comparedMetric(runs, state.choices), axis);
  const at = state.cursor ?? nearestPlace(series, Number.POSITIVE_INFINITY) ?? 0;
  const reading = comparedCursor(comparedChart(series, { axis }), series, at);
  const values = (reading?.figures ?? []).flatMap(({ place, value }) => {
    const { style, mark } = runPen(place, glyphs);
    return [span(`  ${mark} `, style), span((words.format ?? formatNumber)(value))];
  });
  const left = [span(words.title(at), { bold: state.cursor !== null }), ...values];
  const modes = line(modesOf(state, chart.note).join(' · '), quiet);
  return lineWidth(left) + lineWidth(modes) < width ? spread(left, modes, width) : left;
}

/** What is switched on. A note says more than the switch that it is about. */
function modesOf({ choices }: ComparePageState, note: string | null): string[] {
  const { isLog, isSmooth, ignoresOutliers, zoom } = choices;
  return [
    note,
    isLog && !note ? 'log scale' : null,
    isSmooth ? 'smoothed' : null,
    ignoresOutliers && !note ? 'no outliers' : null,
    zoom ? 'zoomed' : null,
  ].filter(mode => mode !== null);
}
