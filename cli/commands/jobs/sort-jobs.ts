// The orders in which jobs can be listed, and the columns that show what they are sorted by. What has no value comes last.
import { formatNumber, jobColumns, type Sweep } from '../../../lib/console/index.js';
import type { JobSummary } from '../../../lib/contract/index.js';
import type { Column } from '../terminal/table.js';

interface Order {
  value(job: JobSummary): string | number | null;
  /** Where the list has none for it. */
  column?: Column<JobSummary>;
  /** The measure of a sweep that has the same values in its own column. */
  measure?: NonNullable<Sweep['measure']>['field'];
}

const ORDERS: Readonly<Record<string, Order>> = {
  name: { value: ({ name }) => name.toLowerCase() },
  status: { value: ({ status }) => status },
  duration: {
    value: ({ startedAt, completedAt }) =>
      startedAt && (completedAt ? Date.parse(completedAt) : Date.now()) - Date.parse(startedAt),
    column: columnOf('duration'),
  },
  /** Of a job that still runs, so far. */
  loss: {
    value: ({ loss }) => loss,
    column: { title: 'Loss', text: ({ loss }) => lossText(loss) },
    measure: 'loss',
  },
  'eval-loss': {
    value: ({ evalLoss }) => evalLoss,
    column: { title: 'Eval loss', text: ({ evalLoss }) => lossText(evalLoss) },
    measure: 'evalLoss',
  },
  'best-loss': { value: ({ bestLoss }) => bestLoss, column: columnOf('bestLoss') },
  'best-eval-loss': { value: ({ bestEvalLoss }) => bestEvalLoss, column: columnOf('bestEvalLoss') },
  /** The best one first. */
  'best-score': {
    value: ({ bestScore }) => bestScore && (bestScore.higher ? -bestScore.value : bestScore.value),
    column: columnOf('bestScore'),
    measure: 'bestScore',
  },
};

/** Jobs are answered newest first, which is the order for every other word. */
export function sortJobs(jobs: readonly JobSummary[], by: string): readonly JobSummary[] {
  const order = ORDERS[by];
  if (!order) return jobs;
  return jobs
    .map(job => ({ job, value: order.value(job) }))
    .sort((a, b) => compare(a.value, b.value))
    .map(({ job }) => job);
}

/** What jobs are sorted by, if neither the list nor the sweep shows it. */
export function sortColumns(by: string, measured: Sweep['measure'] = null): Column<JobSummary>[] {
  const { column, measure } = ORDERS[by] ?? {};
  return column && (measured === null || measure !== measured.field) ? [column] : [];
}

/** As both faces have it. */
function columnOf(key: string): Column<JobSummary> {
  const [{ title, text }] = jobColumns([key], [], new Map()) as [ReturnType<typeof jobColumns>[number]];
  return { title, text: job => text(job, Date.now()) };
}

function lossText(loss: number | null): string {
  return loss === null ? '–' : formatNumber(loss);
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
