// A job's metadata and, on request, the statistics of its two series.
import {
  breakToWidth,
  displayWidth,
  metadataRows,
  padToWidth,
  SERIES_LABELS,
  type SeriesName,
  summarize,
  summaryFigures,
} from '../../../../lib/console/index.js';
import { fitLine, type Line, line, quiet, span } from '../../drawing/line.js';
import type { JobPageState } from './state.js';

const LABEL_WIDTH = 11;
const FIGURE_WIDTH = 16;
const SIDE_BY_SIDE = 64;
const SERIES = ['training', 'evaluation'] as const;

export function factLines(state: JobPageState, width: number): Line[] {
  return metadataRows(state.job, state.id).flatMap(({ label, value }) => fact(label, value, width));
}

/** A value that does not fit beside its label goes below it. */
function fact(label: string, value: string, width: number): Line[] {
  if (LABEL_WIDTH + displayWidth(value) <= width)
    return [[span(padToWidth(label, LABEL_WIDTH), quiet), span(value)]];
  return [line(label, quiet), ...breakToWidth(value, width).map(row => line(row))];
}

/** The statistics of both series, side by side if they fit. */
export function statisticsLines(state: JobPageState, width: number): Line[] {
  const cards = SERIES.map(name => cardLines(state, name));
  if (width < SIDE_BY_SIDE) return [...cards[0]!, [], ...cards[1]!];
  const half = Math.floor(width / 2);
  const rows = Math.max(...cards.map(({ length }) => length));
  return Array.from({ length: rows }, (_, index) => [
    ...fitLine(cards[0]![index] ?? [], half),
    ...(cards[1]![index] ?? []),
  ]);
}

/** The statistics of a series, or a note that there are none yet. */
export function cardLines({ job }: JobPageState, name: SeriesName): Line[] {
  const { values, length } = job[name];
  const figures = summaryFigures(summarize(values, length));
  const title = line(SERIES_LABELS[name], { bold: true, tone: name });
  if (figures.length === 0) return [title, line('No values yet', quiet)];
  return [
    title,
    ...figures.map(({ label, value }) => [span(padToWidth(label, FIGURE_WIDTH), quiet), span(value)]),
  ];
}
