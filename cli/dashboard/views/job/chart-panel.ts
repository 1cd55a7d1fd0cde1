// A job's loss chart, with its legend above and the values at the cursor below.
import {
  type CellChart,
  type ChartReading,
  cellChart,
  formatCount,
  noLossText,
  readingAt,
  readingFigures,
  SERIES_LABELS,
  shownStatus,
} from '../../../../lib/console/index.js';
import type { Size } from '../../drawing/canvas.js';
import { chartLines } from '../../drawing/chart-drawing.js';
import { centered, type Line, line, lineWidth, quiet, type Span, span, spread } from '../../drawing/line.js';
import type { Glyphs } from '../../terminal/glyphs.js';
import type { JobPageState } from './state.js';

/** The rows of the legend and of the reading. */
const AROUND = 2;
/** The index of a horizontal line in the glyphs. */
const LEVEL = 3;

export function chartOf({ job, isLog, isSmooth }: JobPageState, { width, height }: Size): CellChart {
  return cellChart(job, { width, height: height - AROUND, isLog, isSmooth });
}

export function chartContent(state: JobPageState, room: Size, glyphs: Glyphs): Line[] {
  const chart = chartOf(state, room);
  if (chart.waiting) {
    const text = noLossText(shownStatus(state.job), state.job.preparing);
    return centered([line(text, quiet)], room.width, room.height);
  }
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
  const signs = { training: solid[LEVEL]!.repeat(2), evaluation: `${dashed[LEVEL]}${mark}${dashed[LEVEL]}` };
  const entries = legend.flatMap(name => [
    span(signs[name], { tone: name }),
    span(` ${SERIES_LABELS[name]}   `),
  ]);
  const modes = [note, isLog && !note ? 'log scale' : null, isSmooth ? 'smoothed' : null];
  return spread(entries, line(modes.filter(Boolean).join(' · '), quiet), width);
}

/** The values at the cursor or, without one, at the latest step. */
function readingLine({ job, cursor }: JobPageState, { maxStep }: CellChart, width: number): Line {
  const reading = readingAt(job, cursor ?? maxStep);
  const forms = READING_FORMS.map(form => readingSpans(reading, cursor === null, form));
  const spans = forms.find(form => lineWidth(form) <= width) ?? forms.at(-1)!;
  const axis = line('x: step', quiet);
  return lineWidth(spans) + lineWidth(axis) < width ? spread(spans, axis, width) : spans;
}

interface ReadingForm {
  readonly latest: string;
  readonly at: string;
  readonly gap: string;
  /** Removed from labels to save space. */
  readonly without: string;
}

/** From the longest to the shortest. */
const READING_FORMS: readonly ReadingForm[] = [
  { latest: 'Latest: step ', at: 'Step ', gap: '   ', without: '' },
  { latest: 'Step ', at: 'Step ', gap: '  ', without: '' },
  { latest: '', at: '', gap: '  ', without: ' loss' },
];

function readingSpans(
  reading: ChartReading,
  isLatest: boolean,
  { latest, at, gap, without }: ReadingForm,
): Span[] {
  return [
    span(`${isLatest ? latest : at}${formatCount(reading.step)}`, { bold: !isLatest }),
    ...readingFigures(reading).flatMap(({ series, label, value }) => [
      span(`${gap}${label.replace(without, '')} `, quiet),
      span(value, { tone: series, bold: !isLatest }),
    ]),
  ];
}
