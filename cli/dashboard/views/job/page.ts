// What the parts of a job's page share, and the page layout. The first page shows as much as fits; the others
// show the details or the event log alone, so that everything is reachable in a small terminal.
import {
  initialChoices,
  initialLogChoices,
  type JobView,
  type XRange,
} from '../../../../lib/console/index.js';
import type { Size } from '../../terminal/look.js';

/** In the order in which Tab cycles through them. */
export const PAGES = ['overview', 'details', 'log'] as const;
export type Page = (typeof PAGES)[number];

/** Display choices that carry over to the next job. */
export const AT_FIRST = { chart: initialChoices, log: initialLogChoices, isAdvanced: false };
export type JobChoices = Readonly<typeof AT_FIRST>;

/** State of a single job. */
export const OPENED = {
  page: 'overview' as Page,
  /** The charted series: `loss`, or a metric; the run's main one until another is chosen. */
  metric: '',
  /** The step at the chart's cursor; null until it is moved. */
  cursor: null as number | null,
  zoom: null as XRange | null,
  /** Shows only this type of event; null for all. */
  type: null as string | null,
  search: '',
  /** What is in the place of the event log. */
  shows: 'log' as 'log' | 'samples' | 'answers',
  /** The selected step of the samples or answers; null follows the latest. */
  sampleStep: null as number | null,
};
export type JobPageState = Readonly<typeof OPENED>;

export interface PartProps extends Size {
  readonly job: JobView;
  readonly state: JobPageState;
  readonly choices: JobChoices;
  set(part: Partial<JobPageState>): void;
  choose(part: Partial<JobChoices>): void;
}

const WIDE: Size = { width: 110, height: 24 };
const STACKED_HEIGHT = 16;
const LEAST_LOG = 8;

/** Chart and details side by side, with the log below. */
export function layOut(page: Page, room: Size): { chart?: Size; details?: Size; log?: Size } {
  const { width, height } = room;
  if (page !== 'overview') return { [page]: room };
  const isWide = width >= WIDE.width && height >= WIDE.height;
  if (!isWide && height < STACKED_HEIGHT) return { chart: room };
  const tall = Math.min(height - LEAST_LOG, Math.max(WIDE.height, Math.round(height * 0.6)));
  const upper = isWide ? tall : Math.round(height * 0.58);
  const chart = isWide ? Math.floor((width * 2) / 3) : width;
  return {
    chart: { width: chart, height: upper },
    ...(isWide && { details: { width: width - chart, height: upper } }),
    log: { width, height: height - upper },
  };
}
