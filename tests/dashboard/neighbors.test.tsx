import { it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';
import { fakeStudio, jobSummary } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const idOf = (index: number) => `0000000${index}-0000-4000-8000-000000000000`;
const jobs = [
  sampleJob({ id: idOf(0), name: 'newest', status: 'running' }),
  sampleJob({ id: idOf(1), name: 'broken', status: 'failed' }),
  sampleJob({ id: idOf(2), name: 'middle', status: 'completed' }),
  sampleJob({ id: idOf(3), name: 'oldest', status: 'completed' }),
];
const open = (id: string | null) =>
  openDashboard({ studio: fakeStudio({ jobs }), start: { tab: 'jobs', id } });

it('[ and ] open the job above and below in the list, and Esc goes back to the list', async () => {
  const dashboard = await open(null);
  await dashboard.shows('newest');
  await dashboard.press('enter');
  await dashboard.shows('[] job', idOf(0));
  await dashboard.press(']');
  await dashboard.shows('broken', idOf(1));
  await dashboard.press(']', '[');
  await dashboard.shows('broken', idOf(1));
  await dashboard.press('escape');
  await dashboard.shows('4 jobs');
});

it('they leaf through what the list shows, and say where it ends', async () => {
  const dashboard = await open(null);
  await dashboard.shows('newest');
  await dashboard.press('f', 'f');
  await dashboard.hides('broken');
  await dashboard.press('enter');
  await dashboard.shows(idOf(2));
  await dashboard.press(']');
  await dashboard.shows('oldest', idOf(3));
  await dashboard.press(']');
  await dashboard.shows('This is the last job.');
  await dashboard.press('[', '[');
  await dashboard.shows('This is the first job.', 'middle');
});

it('a job that was opened without a list has its neighbors, too', async () => {
  const dashboard = await open(idOf(1));
  await dashboard.shows('broken');
  await dashboard.press('[');
  await dashboard.shows('newest', idOf(0));
  await dashboard.press('[');
  await dashboard.shows('This is the first job.');
});

it('is as it was listed where the cloud went away before it was opened', async () => {
  const studio = fakeStudio({ jobs: [jobSummary({ status: 'running' })] });
  const dashboard = await openDashboard({ studio, start: { tab: 'jobs', id: null } });
  await dashboard.shows('1 job');
  const away = new ApiError('cloud_unreachable', 'The cloud does not answer.');
  for (const call of ['getJob', 'listJobs'] as const) studio.fail(call, away);
  await dashboard.press('enter');
  await dashboard.shows('● running  triage', 'Not loaded yet');
});
