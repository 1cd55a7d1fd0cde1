// The runs of a sweep as a table: the settings that vary and the result, in place of times. The winner is named below.
import { type Sweep, shortId, sweepColumns, sweepProgress, winnerText } from '../../../lib/console/index.js';
import type { JobSummary } from '../../../lib/contract/index.js';
import { toSafeLine } from '../../style.js';
import type { Screen } from '../terminal/screen.js';
import { type Column, renderTable } from '../terminal/table.js';
import { paintStatus, statusText } from '../training/status.js';
import { sortColumns } from './sort-jobs.js';

export function renderSweep(sweep: Sweep, jobs: readonly JobSummary[], sort: string, screen: Screen): string {
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
