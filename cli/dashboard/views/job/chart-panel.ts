// A job's loss chart, or that of a metric, with its legend above and the values at the cursor below.
import {
  addSmoothed,
  type CellChart,
  type ChartChoices,
  type ChartReading,
  cellChart,
  drawOptions,
  formatCount,
  formatX,
  metricChoices,
  metricLabel,
  metricPair,
  nearestStep,
  noLossText,
  type PlotWords,
  plannedEnd,
  plotWords,
  projectSeries,
  readingAt,
  readingFigures,
  type SeriesPair,
  shownStatus,
  usableAxis,
  type XAxis,
  xOfStep,
} from '../../../../lib/console/index.js';
import type { Size } from '../../drawing/canvas.js';
import { chartLines, scorePen } from '../../drawing/chart-drawing.js';
import { modesText } from '../../drawing/chart-modes.js';
import { centered, type Line, line, lineWidth, quiet, type Span, span, spread } from '../../drawing/line.js';
import type { Glyphs } from '../../terminal/glyphs.js';
import type { JobPageState } from './state.js';

/** The rows of the legend and of the reading. */
const AROUND = 2;
/** The index of a horizontal line in the glyphs. */
const LEVEL = 3;

/** The series of the chart with the values of its x-axis as their steps. */
export function plottedPair(state: JobPageState): SeriesPair {
  const { metrics } = state.job;
  const { training, evaluation } = shownPair(state);
  const axis = axisOf(state);
  return {
    training: projectSeries(training, metrics, axis),
    evaluation: projectSeries(evaluation, metrics, axis),
  };
}

/** The losses, or a metric or score alone. */
export function shownPair({ job, metric }: JobPageState): SeriesPair {
  return metric === 'loss' || !job.metrics[metric] ? job : metricPair(job.metrics, metric);
}

export function axisOf({ job, choices }: JobPageState): XAxis {
  return usableAxis(job.metrics, choices.x);
}

export function chartOf(state: JobPageState, { width, height }: Size, glyphs: Glyphs): CellChart {
  const axis = axisOf(state);
  return cellChart(plottedPair(state), {
    ...drawOptions(choicesOf(state), axis, plannedEnd(state.job, axis)),
    width,
    height: height - AROUND,
    format: wordsOf(state).format,
    isFine: glyphs.hasBraille,
  });
}

function choicesOf({ choices, metric }: JobPageState): ChartChoices {
  return metricChoices(choices, metric);
}

export function chartTitle({ metric }: JobPageState): string {
  return metric === 'loss' ? 'Loss' : metricLabel(metric);
}

export function chartContent(state: JobPageState, room: Size, glyphs: Glyphs): Line[] {
  const chart = chartOf(state, room, glyphs);
  if (chart.waiting) {
    const text = noLossText(shownStatus(state.job), state.job.preparing);
    return centered([line(text, quiet)], room.width, room.height);
  }
  const { cursor, job } = state;
  const x = cursor === null ? null : (xOfStep(job.metrics, axisOf(state), cursor) ?? null);
  const isInside = x !== null && x >= chart.minStep && x <= chart.maxStep;
  return [
    legendLine(chart, state, room.width, glyphs),
    ...chartLines(chart, isInside ? x : null, glyphs, wordsOf(state).isScore),
    readingLine(state, chart, room.width),
  ];
}

function wordsOf(state: JobPageState): PlotWords {
  return plotWords(state.metric, axisOf(state), state.job.metrics);
}

function legendLine({ legend, note }: CellChart, state: JobPageState, width: number, glyphs: Glyphs): Line {
  const { solid, dashed, mark } = glyphs;
  const { labels, isScore } = wordsOf(state);
  const signs = { training: solid[LEVEL]!.repeat(2), evaluation: `${dashed[LEVEL]}${mark}${dashed[LEVEL]}` };
  const { style, mark: scoreMark } = scorePen(glyphs);
  const entries = isScore
    ? [span(`${solid[LEVEL]}${scoreMark}${solid[LEVEL]}`, style), span(` ${labels.evaluation}   `)]
    : legend.flatMap(name => [span(signs[name], { tone: name }), span(` ${labels[name]}   `)]);
  return spread(entries, line(modesText(choicesOf(state), note), quiet), width);
}

/** The values at the cursor or, without one, at the latest step. */
function readingLine(state: JobPageState, { smoothed }: CellChart, width: number): Line {
  const { job, cursor } = state;
  const pair = shownPair(state);
  const latest = nearestStep(pair, Number.POSITIVE_INFINITY) ?? 0;
  const words = wordsOf(state);
  const axis = axisOf(state);
  const step = cursor ?? latest;
  const x = xOfStep(job.metrics, axis, step);
  const reading = addSmoothed(readingAt(pair, step), smoothed, x);
  const forms = READING_FORMS.map(form => readingSpans(reading, cursor === null, form, words));
  const spans = forms.find(form => lineWidth(form) <= width) ?? forms.at(-1)!;
  const place = line(
    `x: ${words.x}${axis === 'step' || x === undefined ? '' : ` ${formatX(axis, x)}`}`,
    quiet,
  );
  return lineWidth(spans) + lineWidth(place) < width ? spread(spans, place, width) : spans;
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
  words: PlotWords,
): Span[] {
  return [
    span(`${isLatest ? latest : at}${formatCount(reading.step)}`, { bold: !isLatest }),
    ...readingFigures(reading, words).flatMap(({ series, label, value }) => [
      span(`${gap}${label.replace(without, '')} `, quiet),
      span(value, { tone: words.isScore ? 'score' : series, bold: !isLatest }),
    ]),
  ];
}
