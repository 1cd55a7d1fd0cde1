// svc jobs list: every job of this folder's project, newest first.
import { NO_JOBS, shortId } from '../../../lib/console/index.js';
import type { JobSummary } from '../../../lib/contract/index.js';
import { exitCode } from '../../exit-code.js';
import { openProjectClient } from '../project/project-client.js';
import { sessionCommand } from '../project/session-command.js';
import type { Screen } from '../terminal/screen.js';
import { type Column, renderTable } from '../terminal/table.js';
import { ageText, timeText } from '../terminal/time-text.js';
import { paintStatus, statusText } from '../training/status.js';

export const run = sessionCommand(async ({ session, screen, svc, answer }) => {
  const cloud = await openProjectClient(session);
  const { jobs } = cloud ? await cloud.listJobs() : { jobs: [] };
  answer({ jobs }, () =>
    jobs.length === 0
      ? `${NO_JOBS}. To start one, run "${svc} start".\n`
      : renderTable(columnsFor(jobs, screen), jobs, screen),
  );
  return exitCode.ok;
});

function columnsFor(jobs: readonly JobSummary[], screen: Screen): Column<JobSummary>[] {
  const isWaiting = jobs.some(({ waitingFor }) => waitingFor !== null);
  return [
    {
      title: 'Status',
      text: ({ status }) => statusText(status),
      paint: (text, { status }) => paintStatus(text, status, screen.style),
    },
    { title: 'Name', text: ({ name }) => name, least: 12 },
    { title: 'Steps', text: stepsText, spare: true },
    ...(isWaiting ? [WAITING] : []),
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

function stepsText({ step, totalSteps }: JobSummary): string {
  return totalSteps === null ? '–' : `${step ?? 0}/${totalSteps}`;
}
