// svc jobs list: the jobs of this folder's project, newest first, optionally filtered.
import type { CloudClient } from '../../../lib/client/index.js';
import {
  chosenGroup,
  EVERY_JOB,
  fieldText,
  findSweep,
  isFiltering,
  type JobColumn,
  type JobListQuery,
  listJobs,
  NO_JOBS,
  noWinnerText,
  type Sweep,
  shortId,
  sortColumn,
  sortJobs,
  sweepColumns,
  sweepProgress,
  VALUE_FILTERS,
  winnerText,
} from '../../../lib/console/index.js';
import { type JobFieldName, type JobSummary, jobFieldsWith } from '../../../lib/contract/index.js';
import type { Input } from '../../command.js';
import type { Screen } from '../../screen.js';
import { toSafeLine } from '../../style.js';
import { findGroup } from '../project/find.js';
import { countOption, groupOption, textOption, valuesOption } from '../project/option-values.js';
import { openProjectClient } from '../project/project-client.js';
import { sessionCommand } from '../project/session-command.js';
import { ageText, type Column, renderTable, timeText } from '../terminal/table.js';
import { paintStatus, statusText } from '../training/progress.js';

/** The maximum page size of the cloud's list. */
const MOST_PER_PAGE = 500;
const LONGEST_VALUE = 200;

export const run = sessionCommand(async input => {
  const { session, screen, svc, answer } = input;
  const wanted = readWanted(input);
  const cloud = await openProjectClient(session);
  const all = cloud ? await fetchJobs(cloud, wanted) : [];
  const { query, sort, limit } = wanted;
  const typed = chosenGroup(query);
  const group = typed === null ? null : findGroup(typed, all);
  const asked = group === null ? query : { ...query, group: [group] };
  const jobs = sortJobs(listJobs(all, asked).rows, sort, Date.now()).slice(0, limit);
  answer({ jobs }, () => {
    if (all.length === 0) return `${NO_JOBS}. To start one, run "${svc} start".\n`;
    if (jobs.length === 0) return 'No matches.\n';
    const sweep = group && findSweep(all, group);
    if (sweep) return renderSweep(sweep, jobs, sort, screen);
    return renderTable(columnsFor(jobs, sort, screen), jobs, screen);
  });
});

interface Wanted {
  query: JobListQuery;
  sort: string;
  limit: number | undefined;
}

function readWanted(input: Pick<Input, 'values'>): Wanted {
  const limit = countOption(input, 'limit');
  const values = VALUE_FILTERS.map(({ name, word, edit }) => [
    name,
    valuesOption(input, word, edit?.longest ?? LONGEST_VALUE),
  ]);
  const query: JobListQuery = {
    ...EVERY_JOB,
    ...Object.fromEntries(values),
    status: [textOption(input, 'status') ?? []].flat(),
    group: [groupOption(input) ?? []].flat(),
  };
  return { query, sort: textOption(input, 'sort') ?? 'created', limit };
}

/** Fetches only the newest jobs if no filter or sort needs the others. */
async function fetchJobs(cloud: CloudClient, { query, sort, limit }: Wanted): Promise<JobSummary[]> {
  const isPage = limit !== undefined && limit <= MOST_PER_PAGE && sort === 'created' && !isFiltering(query);
  return (await cloud.listJobs(isPage ? { limit } : {})).jobs;
}

function columnsFor(jobs: readonly JobSummary[], sort: string, screen: Screen): Column<JobSummary>[] {
  return [
    {
      title: 'Status',
      text: ({ status }) => statusText(status),
      paint: (text, { status }) => paintStatus(text, status, screen.style),
    },
    { title: 'Name', text: ({ name }) => name, least: 12 },
    { title: 'Steps', text: stepsText, spare: true },
    ...sortColumns(sort),
    ...occasionalColumns(jobs),
    {
      title: 'Created',
      text: ({ createdAt }) => timeText(createdAt, screen),
      short: ({ createdAt }) => ageText(createdAt),
      spare: true,
    },
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => shortId(id), paint: screen.style.dim },
  ];
}

/** Columns that are shown only if at least one job has a value. */
function occasionalColumns(jobs: readonly JobSummary[]): Column<JobSummary>[] {
  return jobFieldsWith('isOccasional')
    .filter(({ name }) => jobs.some(job => fieldText(job, name) !== null))
    .map(({ name, label: title }) => ({ title, text: job => occasionalText(job, name), spare: true }));
}

function occasionalText(job: JobSummary, name: JobFieldName): string {
  const text = fieldText(job, name) ?? '';
  return name === 'group' && job.group ? `${shortId(job.group.id)} ${text}` : text;
}

function stepsText({ step, totalSteps }: JobSummary): string {
  return totalSteps === null ? '–' : `${step ?? 0}/${totalSteps}`;
}

/** Lists the runs with their varied settings and results instead of times. The winner is named below. */
function renderSweep(sweep: Sweep, jobs: readonly JobSummary[], sort: string, screen: Screen): string {
  const { style } = screen;
  const columns: Column<JobSummary>[] = [
    {
      title: 'Status',
      text: ({ status }) => statusText(status),
      paint: (text, { status }) => paintStatus(text, status, style),
    },
    ...sweepColumns(sweep).map(toColumn),
    ...sortColumns(sort, sweep.measure),
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => shortId(id), paint: style.dim },
  ];
  const best = winnerText(sweep);
  const foot = best
    ? `Best: ${best} (job ${shortId(sweep.winner!.id)})`
    : (noWinnerText(sweep) ?? sweepProgress(sweep));
  return `${renderTable(columns, jobs, screen)}${toSafeLine(foot)}\n`;
}

/** The column for the sort key, unless the list or the sweep already shows it. */
function sortColumns(by: string, measure: Sweep['measure'] = null): Column<JobSummary>[] {
  const column = sortColumn(by);
  return column && column.key !== measure?.field ? [toColumn(column)] : [];
}

/** Adapts a column shared with the dashboard and the browser app. */
function toColumn({ title, text }: JobColumn): Column<JobSummary> {
  return { title, text: job => text(job, Date.now()) };
}
