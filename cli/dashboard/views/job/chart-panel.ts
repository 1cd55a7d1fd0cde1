// The loss chart of a job with its legend above and what the cursor reads below.
import {
  type CellChart,
  type ChartReading,
  cellChart,
  formatCount,
  readingAt,
  readingFigures,
  SERIES_LABELS,
} from '../../../../lib/console/index.js';
import { chartLines } from '../../drawing/chart-drawing.js';
import { centred, type Line, line, lineWidth, quiet, type Span, span, spread } from '../../drawing/line.js';
import type { Glyphs } from '../../terminal/glyphs.js';
import type { JobPageState } from './state.js';

interface Room {
  readonly width: number;
  readonly height: number;
}

/** The legend's row and the reading's. */
const AROUND = 2;

export const WAITING = 'Waiting for the first loss value';

export function chartOf({ job, isLog, isSmooth }: JobPageState, { width, height }: Room): CellChart {
  return cellChart(job, { width, height: height - AROUND, isLog, isSmooth });
}

export function chartContent(state: JobPageState, room: Room, glyphs: Glyphs): Line[] {
  const chart = chartOf(state, room);
  if (chart.waiting) return centred([line(WAITING, quiet)], room.width, room.height);
  return [
    legendLine(chart, state, room.width, glyphs),
    ...chartLines(chart, state.cursor, glyphs),
    readingLine(state, chart, room.width),
  ];
}

function legendLine(
  { legend, note }: CellChart,
  { isLog, isSmooth }: JobPageState,
  width: number,
  { solid, dashed, mark }: Glyphs,
): Line {
  const signs = { training: solid[4].repeat(2), evaluation: `${dashed[4]}${mark}${dashed[4]}` };
  const entries = legend.flatMap(name => [
    span(signs[name], { tone: name }),
    span(` ${SERIES_LABELS[name]}   `),
  ]);
  const modes = [note, isLog && !note ? 'log scale' : null, isSmooth ? 'smoothed' : null];
  return spread(entries, line(modes.filter(Boolean).join(' · '), quiet), width);
}

/** What is under the cursor; without one, the latest step. */
function readingLine({ job, cursor }: JobPageState, { maxStep }: CellChart, width: number): Line {
  const reading = readingAt(job, cursor ?? maxStep);
  const spans = readingSpans(reading, cursor === null);
  const axis = line('x: step', quiet);
  return lineWidth(spans) + lineWidth(axis) < width ? spread(spans, axis, width) : spans;
}

function readingSpans(reading: ChartReading, isLatest: boolean): Span[] {
  return [
    span(`${isLatest ? 'Latest: step' : 'Step'} ${formatCount(reading.step)}`, { bold: !isLatest }),
    ...readingFigures(reading).flatMap(({ series, label, value }) => [
      span(`   ${label} `, quiet),
      span(value, { tone: series, bold: !isLatest }),
    ]),
  ];
}
