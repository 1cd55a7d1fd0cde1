// A job's metadata and, on request, the statistics of its two series.
import {
  displayWidth,
  metadataRows,
  padToWidth,
  runSummary,
  SERIES_LABELS,
  type SeriesName,
  settingRows,
  shownStatus,
  summarize,
  summaryFigures,
  wrapToWidth,
} from '../../../../lib/console/index.js';
import { cutLine, fitLine, type Line, line, quiet, span } from '../../drawing/line.js';
import type { Glyphs } from '../../terminal/glyphs.js';
import type { JobPageState } from './state.js';

const LABEL_WIDTH = 16;
const FIGURE_WIDTH = 16;
const SIDE_BY_SIDE = 64;
const SERIES = ['training', 'evaluation'] as const;

export function factLines(state: JobPageState, width: number): Line[] {
  return metadataRows(state.job, state.id).flatMap(({ label, value }) => fact(label, value, width));
}

/** A bar with its percentage, while the end is known. */
export function progressLines({ job }: JobPageState, width: number, { bar }: Glyphs): Line[] {
  const { fraction } = runSummary(job, Date.now());
  if (fraction === null || width < 16) return [];
  const text = ` ${Math.floor(fraction * 100)} %`;
  const room = width - text.length;
  const done = Math.floor(fraction * room);
  const isRunning = shownStatus(job) === 'running';
  return [
    [
      span(bar[0].repeat(done), isRunning ? { tone: 'running' } : quiet),
      span(bar[1].repeat(room - done), quiet),
      span(text, quiet),
    ],
    [],
  ];
}

/** The facts, then the settings as far as they fit: those that differ from the defaults stand out. */
export function factsAndSettings(state: JobPageState, width: number, height: number): Line[] {
  const facts = factLines(state, width);
  const settings = settingRows(state.job.polled ?? {});
  const room = height - facts.length - 2;
  if (settings.length === 0 || room < 2) return facts;
  const label = Math.min(Math.floor(width * 0.6), Math.max(...settings.map(({ name }) => name.length)) + 2);
  const rows = settings.map(({ name, value, isCustom }) =>
    cutLine(
      [
        span(padToWidth(name, label), isCustom ? { bold: true } : quiet),
        span(value, isCustom ? { bold: true } : {}),
      ],
      width,
    ),
  );
  const shown = rows.length <= room ? rows : rows.slice(0, room - 1);
  const rest = rows.length - shown.length;
  return [
    ...facts,
    [],
    line('Settings', { bold: true }),
    ...shown,
    ...(rest > 0 ? [line(`${rest} more: svc jobs show`, quiet)] : []),
  ];
}

/** A value that does not fit beside its label goes below it. */
function fact(label: string, value: string, width: number): Line[] {
  if (LABEL_WIDTH + displayWidth(value) <= width)
    return [[span(padToWidth(label, LABEL_WIDTH), quiet), span(value)]];
  return [line(label, quiet), ...wrapToWidth(value, width).map(row => line(row))];
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
