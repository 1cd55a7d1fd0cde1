// Labels and formatted values for the chart's legend and cursor and for the statistics cards.
import { isFinalStatus, type JobStatus } from '../contract/index.js';
import type { ChartReading, SeriesName } from './chart.js';
import { formatCount, formatNumber } from './format.js';
import { preparingText, type RowsRead } from './row-reading.js';
import type { Summary } from './statistics.js';

export const SERIES_LABELS: Readonly<Record<SeriesName, string>> = {
  training: 'Training loss',
  evaluation: 'Eval loss',
};

const SMOOTHED_LABEL = 'Smoothed';

/** Shown instead of a chart with nothing to draw. */
export function noLossText(status: JobStatus | null, preparing: RowsRead | null = null): string {
  if (status !== null && isFinalStatus(status)) return 'No losses were logged.';
  if (preparing) return preparingText(preparing);
  return status === 'queued' ? 'Waiting in the queue.' : 'Waiting for the first loss…';
}

interface Figure {
  readonly label: string;
  readonly value: string;
}

/** What a chart's values are called and how they are written; by default, those of the loss chart. */
interface ReadingWords {
  readonly labels?: Readonly<Record<SeriesName, string>> | undefined;
  readonly format?: ((value: number) => string) | undefined;
  readonly title?: ((x: number) => string) | undefined;
}

/** The values present in a reading, each with its series. */
export function readingFigures(
  { loss, evalLoss, smoothed }: ChartReading,
  { labels = SERIES_LABELS, format = formatNumber }: ReadingWords = {},
): (Figure & { readonly series: SeriesName })[] {
  const figures = [
    { series: 'training', label: labels.training, value: loss },
    { series: 'training', label: SMOOTHED_LABEL, value: smoothed },
    { series: 'evaluation', label: labels.evaluation, value: evalLoss },
  ] as const;
  return figures.flatMap(({ series, label, value }) =>
    value === undefined ? [] : [{ series, label, value: format(value) }],
  );
}

/** A reading for screen readers: `Step 20: training loss 0.512, eval loss 0.6`. */
export function readingText(reading: ChartReading, words: ReadingWords = {}): string {
  const parts = readingFigures(reading, words).map(({ label, value }) => `${label.toLowerCase()} ${value}`);
  return `${(words.title ?? stepTitle)(reading.step)}: ${parts.join(', ')}`;
}

const stepTitle = (step: number) => `Step ${formatCount(step)}`;

/** The figures of a statistics card; empty while there are no values. */
export function summaryFigures(summary: Summary): Figure[] {
  if (summary.count === 0) return [];
  const { mean, halfWidth, standardDeviation, variance, p90, p95 } = summary;
  return [
    {
      label: 'Mean, 95% CI',
      value: halfWidth === null ? figure(mean) : `${figure(mean)} ± ${figure(halfWidth)}`,
    },
    { label: 'Std. deviation', value: figure(standardDeviation) },
    { label: 'Variance', value: figure(variance) },
    { label: 'p90', value: figure(p90) },
    { label: 'p95', value: figure(p95) },
    { label: 'Values', value: formatCount(summary.count) },
  ];
}

function figure(value: number | null): string {
  return formatNumber(value ?? Number.NaN);
}
