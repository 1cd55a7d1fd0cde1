// A job's facts and settings as terminal rows and, on request, the statistics of both series.

import { SERIES_LABELS, summaryFigures } from '../chart/figures.js';
import { summarize } from '../chart/statistics.js';
import { shortId } from '../labels.js';
import { toSafeText } from '../safe-text.js';
import { displayWidth, padToWidth, wrapToWidth } from '../text/display-width.js';
import { doneShareText } from '../text/format.js';
import { fitText, type Span, type Style } from '../text/spans.js';
import { type JobView, shownStatus } from './job-view.js';
import { metadataRows } from './metadata.js';
import { runSummary } from './run-summary.js';
import { settingRows } from './settings.js';

interface DetailOptions {
  readonly width: number;
  /** The characters for the done and remaining parts of a progress bar. */
  readonly bar: readonly [done: string, open: string];
  /** Includes the statistics. */
  readonly isAdvanced: boolean;
}

const LABEL_WIDTH = 16;
const SIDE_BY_SIDE = 64;
const QUIET: Style = { dim: true };
const STRONG: Style = { bold: true };

export function jobDetails(job: JobView, id: string, { width, bar, isAdvanced }: DetailOptions): Span[][] {
  return [
    ...progressRows(job, width, bar),
    ...(isAdvanced ? [...statisticsRows(job, width), []] : []),
    ...metadataRows(job, id).flatMap(({ label, value }) => factRows(label, value, { width })),
    ...settingsRows(job, width),
  ];
}

/** A progress bar with its percentage, if the end is known. */
function progressRows(job: JobView, width: number, [done, open]: DetailOptions['bar']): Span[][] {
  const { fraction } = runSummary(job, Date.now());
  if (fraction === null) return [];
  const text = ` ${doneShareText(fraction)}`;
  const room = width - text.length;
  const full = Math.floor(fraction * room);
  const style: Style = shownStatus(job) === 'running' ? { tone: 'running' } : QUIET;
  return [
    [
      { text: done.repeat(full), style },
      { text: open.repeat(room - full) + text, style: QUIET },
    ],
    [],
  ];
}

interface FactOptions {
  readonly width: number;
  readonly labelWidth?: number;
  readonly isStrong?: boolean;
}

/** A value that does not fit next to its label goes below it. */
function factRows(
  label: string,
  value: string,
  { width, labelWidth = LABEL_WIDTH, isStrong = false }: FactOptions,
): Span[][] {
  const style = isStrong ? STRONG : {};
  const shown = { text: padToWidth(label, labelWidth), style: isStrong ? STRONG : QUIET };
  if (displayWidth(shown.text) + displayWidth(value) <= width) return [[shown, { text: value, style }]];
  return [[shown], ...wrapToWidth(toSafeText(value), width).map(text => [{ text, style }])];
}

/** Settings that differ from the defaults come first and are highlighted. */
function settingsRows(job: JobView, width: number): Span[][] {
  const settings = settingRows(job.polled ?? {});
  if (settings.length === 0) return [];
  const longest = Math.max(...settings.map(({ name }) => name.length));
  const labelWidth = Math.min(Math.floor(width * 0.6), longest + 2);
  const rows = settings.flatMap(({ name, value, isCustom }) =>
    factRows(name, value, { width, labelWidth, isStrong: isCustom }),
  );
  return [[], [{ text: 'Settings', style: STRONG }], ...rows];
}

/** Both series, side by side if they fit. */
function statisticsRows(job: JobView, width: number): Span[][] {
  const isBeside = width >= SIDE_BY_SIDE;
  const half = isBeside ? Math.floor(width / 2) : width;
  const [training = [], evaluation = []] = (['training', 'evaluation'] as const).map((tone): Span[][] => {
    const { values, length } = job[tone];
    const figures = summaryFigures(summarize(values, length)).map(({ label, value }) => [
      { text: fitText(label, LABEL_WIDTH), style: QUIET },
      { text: fitText(value, half - LABEL_WIDTH) },
    ]);
    const none = [[{ text: fitText('No values yet', half), style: QUIET }]];
    const title = [{ text: fitText(SERIES_LABELS[tone], half), style: { tone, bold: true } }];
    return [title, ...(figures.length > 0 ? figures : none)];
  });
  if (!isBeside) return [...training, [], ...evaluation];
  const blank = [{ text: ' '.repeat(half) }];
  return Array.from({ length: Math.max(training.length, evaluation.length) }, (_, row) => [
    ...(training[row] ?? blank),
    ...(evaluation[row] ?? []),
  ]);
}

/** Text next to a job's name, from the longest to the shortest: the run's progress and its ID. */
export function jobAsides(job: JobView, id: string): string[] {
  const { fraction } = runSummary(job, Date.now());
  const known = new Map(metadataRows(job, id).map(({ label, value }) => [label, value]));
  const [left, elapsed] = [known.get('Time left'), known.get('Elapsed')];
  const progressTexts: string[] = [];
  if (shownStatus(job) !== 'running') progressTexts.push(...(elapsed ? [`took ${elapsed}`] : []));
  else {
    if (fraction) progressTexts.push(doneShareText(fraction));
    if (known.get('Waiting')) progressTexts.push('waiting');
    else if (fraction && left) progressTexts.push(`${left} left`);
  }
  const ids = [id, shortId(id)];
  const withIds = ids.map(each => [...progressTexts, each].join(' · '));
  return progressTexts.length > 0
    ? [...withIds, progressTexts.join(' · '), ...progressTexts.slice(-1), ...ids]
    : ids;
}
