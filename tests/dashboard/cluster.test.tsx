// The cluster that the cloud trains on, in the terminal.
import { describe, expect, it } from 'vitest';
import { sampleCluster } from '../support/sample-cluster.js';
import { until } from '../support/until.js';
import { fakeStudio } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

const open = async (cluster: ReturnType<typeof sampleCluster> | null, size = { columns: 100, rows: 30 }) => {
  const studio = fakeStudio({ cluster });
  const dashboard = await openDashboard({ studio, size });
  await dashboard.press('n');
  return { dashboard, studio };
};

describe('the cluster', () => {
  it('opens from the overview with n, with its nodes, what runs where, and what waits', async () => {
    const { dashboard } = await open(sampleCluster());
    await dashboard.shows('Cluster', 'Ray 2.60.0: 3 nodes, 1 of 20 CPUs in use', 'head (head)');
    await dashboard.shows(/garage +1 of 8 +1 of 1 +17\.2 GB +3f2a9c1e/, 'Job 4f2a9c1e waits: Starting.');
    await dashboard.shows('Job 5f2a9c1e waits: Waiting for 8 GPUs');
  });

  it('leads to the job in the selected row', async () => {
    const { dashboard, studio } = await open(sampleCluster());
    await dashboard.shows('garage');
    await dashboard.press('j', 'enter');
    await until(() => studio.calls.some(call => call.startsWith('getJob "3f2a9c1e'))).toBe(true);
  });

  it('says why nothing is known of it, and that there is none', async () => {
    const problem = 'The cluster at http://127.0.0.1:8265 does not answer.';
    const away = await open(sampleCluster({ version: null, problem, nodes: [] }));
    await away.dashboard.shows(problem);
    const none = await open(null);
    await none.dashboard.shows('No cluster', 'The cloud trains on its own machine.');
  });

  it('fits a small terminal', async () => {
    const { dashboard } = await open(sampleCluster(), { columns: 60, rows: 20 });
    await dashboard.shows('garage', '3f2a9c1e', 'Job 5f2a9c1e waits');
    expect(measure(dashboard.frame()).columns).toBeLessThanOrEqual(60);
  });
});
