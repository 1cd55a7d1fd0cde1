// The cluster that the cloud trains on, in the terminal.
import { it } from 'vitest';
import { sampleCluster } from '../support/sample-cluster.js';
import { until } from '../support/until.js';
import { fakeStudio } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const open = async (cluster: ReturnType<typeof sampleCluster> | null) => {
  const dashboard = await openDashboard({ studio: fakeStudio({ cluster }) });
  await dashboard.press('n');
  return dashboard;
};

it('opens from the overview with n, with its nodes, what runs where, and what waits, and leads to a job', async () => {
  const { shows, press, studio } = await open(sampleCluster());
  await shows('Cluster', 'Ray 2.60.0: 3 nodes, 1 of 20 CPUs in use', 'head (head)');
  await shows(/garage +1 of 8 +1 of 1 +17\.2 GB +3f2a9c1e/, 'Job 4f2a9c1e waits: Starting.');
  await shows('Job 5f2a9c1e waits: Waiting for 8 GPUs');
  await press('j', 'enter');
  await until(() => studio.calls.some(call => call.startsWith('getJob "3f2a9c1e'))).toBe(true);
});

it('says why nothing is known of it, and that there is none', async () => {
  const problem = 'The cluster at http://127.0.0.1:8265 does not answer.';
  const away = await open(sampleCluster({ version: null, problem, nodes: [] }));
  await away.shows(problem);
  const none = await open(null);
  await none.shows('No cluster', 'The cloud trains on its own machine.');
});
