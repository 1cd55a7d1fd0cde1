// svc jobs list: the jobs of this folder's project, newest first: all of them, unless some are chosen.
import type { CloudClient } from '../../../lib/client/index.js';
import {
  findSweep,
  groupText,
  isFiltering,
  type JobListQuery,
  listJobs,
  NO_JOBS,
  type StatusFilter,
  shortId,
} from '../../../lib/console/index.js';
import { type JobSummary, jobPatch } from '../../../lib/contract/index.js';
import type { Input } from '../../command.js';
import { createUsageError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { findGroup, groupOption } from '../project/find-group.js';
import { assertFits, countOption, textOption } from '../project/option-values.js';
import { openProjectClient } from '../project/project-client.js';
import { sessionCommand } from '../project/session-command.js';
import type { Screen } from '../terminal/screen.js';
import { type Column, renderTable } from '../terminal/table.js';
import { ageText, timeText } from '../terminal/time-text.js';
import { paintStatus, statusText } from '../training/status.js';
import { renderSweep } from './render-sweep.js';
import { sortColumns, sortJobs } from './sort-jobs.js';

const WHERE = 'jobs list';
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
  const limit = countOption(input, 'limit', WHERE);
  if (limit === 0) throw createUsageError('option "--limit" must be at least 1.', WHERE);
  const tags = (input.values.tag as string[] | undefined)?.map(tag => tag.trim()) ?? [];
  assertFits(jobPatch, { tags }, { tags: 'option "--tag"' }, WHERE);
  const query = {
    search: '',
    status: (textOption(input, 'status') ?? 'all') as StatusFilter,
    tags,
    group: groupOption(input, WHERE),
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
