// svc jobs list: the jobs of this folder's project, newest first: all of them, unless some are chosen.
import type { CloudClient } from '../../../lib/client/index.js';
import {
  findSweep,
  formatNumber,
  groupText,
  isFiltering,
  type JobListQuery,
  jobColumns,
  listJobs,
  NO_JOBS,
  type StatusFilter,
  type Sweep,
  shortId,
  sweepColumns,
  sweepProgress,
  winnerText,
} from '../../../lib/console/index.js';
import { type JobSummary, jobPatch } from '../../../lib/contract/index.js';
import { exitCode, type Input } from '../../command.js';
import type { Screen } from '../../screen.js';
import { toSafeLine } from '../../style.js';
import { findGroup } from '../project/find.js';
import { assertFits, countOption, groupOption, textOption } from '../project/option-values.js';
import { openProjectClient } from '../project/project-client.js';
import { sessionCommand } from '../project/session-command.js';
import { ageText, type Column, renderTable, timeText } from '../terminal/table.js';
import { paintStatus, statusText } from '../training/progress.js';

/** What one page of the cloud's list may have. */
const MOST_PER_PAGE = 500;

export const run = sessionCommand(async input => {
  const { session, screen, svc, answer } = input;
  const wanted = readWanted(input);
  const cloud = await openProjectClient(session);
  const all = cloud ? await fetchJobs(cloud, wanted) : [];
  const { query, sort, limit } = wanted;
  const group = query.group ? findGroup(query.group, all) : null;
  const jobs = sortJobs(listJobs(all, { ...query, group }).rows, sort).slice(0, limit);
  answer({ jobs }, () => {
    if (all.length === 0) return `${NO_JOBS}. To start one, run "${svc} start".\n`;
    if (jobs.length === 0) return 'No matches.\n';
    const sweep = group && findSweep(all, group);
    if (sweep) return renderSweep(sweep, jobs, sort, screen);
    return renderTable(columnsFor(jobs, sort, screen), jobs, screen);
  });
  return exitCode.ok;
});

interface Wanted {
  query: JobListQuery;
  sort: string;
  limit: number | undefined;
}

function readWanted(input: Pick<Input, 'values'>): Wanted {
  const limit = countOption(input, 'limit');
  const tags = (input.values.tag as string[] | undefined)?.map(tag => tag.trim()) ?? [];
  assertFits(jobPatch, { tags }, { tags: 'option "--tag"' });
  const query = {
    search: '',
    status: (textOption(input, 'status') ?? 'all') as StatusFilter,
    tags,
    group: groupOption(input),
  };
  return { query, sort: textOption(input, 'sort') ?? 'created', limit };
}

/** The newest ones alone, if no other is looked at. */
async function fetchJobs(cloud: CloudClient, { query, sort, limit }: Wanted): Promise<JobSummary[]> {
  const isPage = limit !== undefined && limit <= MOST_PER_PAGE && sort === 'created' && !isFiltering(query);
  return (await cloud.listJobs(isPage ? { limit } : {})).jobs;
}

function columnsFor(jobs: readonly JobSummary[], sort: string, screen: Screen): Column<JobSummary>[] {
  const isWaiting = jobs.some(({ waitingFor }) => waitingFor !== null);
  return [
    {
      title: 'Status',
      text: ({ status }) => statusText(status),
      paint: (text, { status }) => paintStatus(text, status, screen.style),
    },
    { title: 'Name', text: ({ name }) => name, least: 12 },
    { title: 'Steps', text: stepsText, spare: true },
    ...sortColumns(sort),
    ...(isWaiting ? [WAITING] : []),
    ...(jobs.some(({ group }) => group !== null) ? [SWEEP] : []),
    ...(jobs.some(({ tags }) => tags.length > 0) ? [TAGS] : []),
    {
      title: 'Created',
      text: ({ createdAt }) => timeText(createdAt, screen),
      short: ({ createdAt }) => ageText(createdAt),
      spare: true,
    },
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => shortId(id), paint: screen.style.dim },
  ];
}

const WAITING: Column<JobSummary> = {
  title: 'Waiting',
  text: ({ waitingFor }) => waitingFor ?? '',
  spare: true,
};

const SWEEP: Column<JobSummary> = {
  title: 'Sweep',
  text: ({ group }) => (group ? `${shortId(group.id)} ${groupText(group)}` : ''),
  spare: true,
};

const TAGS: Column<JobSummary> = { title: 'Tags', text: ({ tags }) => tags.join(', '), spare: true };

function stepsText({ step, totalSteps }: JobSummary): string {
  return totalSteps === null ? '–' : `${step ?? 0}/${totalSteps}`;
}

/** With the settings that vary and the result, in place of times. The winner is named below. */
function renderSweep(sweep: Sweep, jobs: readonly JobSummary[], sort: string, screen: Screen): string {
  const { style } = screen;
  const columns: Column<JobSummary>[] = [
    {
      title: 'Status',
      text: ({ status }) => statusText(status),
      paint: (text, { status }) => paintStatus(text, status, style),
    },
    ...sweepColumns(sweep).map(
      ({ title, text }): Column<JobSummary> => ({ title, text: job => text(job, Date.now()) }),
    ),
    ...sortColumns(sort, sweep.measure),
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => shortId(id), paint: style.dim },
  ];
  const best = winnerText(sweep);
  const foot = best ? `Best: ${best} (job ${shortId(sweep.winner!.id)})` : sweepProgress(sweep);
  return `${renderTable(columns, jobs, screen)}${toSafeLine(foot)}\n`;
}

/** What jobs can be sorted by, and the column that shows it. */
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
function sortJobs(jobs: readonly JobSummary[], by: string): readonly JobSummary[] {
  const order = ORDERS[by];
  if (!order) return jobs;
  return jobs
    .map(job => ({ job, value: order.value(job) }))
    .sort((a, b) => compare(a.value, b.value))
    .map(({ job }) => job);
}

/** What jobs are sorted by, if neither the list nor the sweep shows it. */
function sortColumns(by: string, measured: Sweep['measure'] = null): Column<JobSummary>[] {
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

/** What has no value comes last. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
