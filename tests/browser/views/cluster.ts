import { describe, expect, it } from 'vitest';
import type { World } from '../../support/fake-studio/world.js';
import { sampleCluster } from '../../support/sample-cluster.js';
import { openStudio, until } from '../harness.js';

function withCluster(fields: Parameters<typeof sampleCluster>[0] = {}) {
  return (world: World) => {
    world.cluster = sampleCluster(fields);
  };
}

describe('The cluster that the cloud trains on', () => {
  it('is named on the overview, and has a page with its nodes, what runs where, and what waits', async () => {
    const { page } = await openStudio('#/', { arrange: withCluster() });
    await page.getByText('Ray 2.60.0: 3 nodes').waitFor();
    await page.getByRole('link', { name: 'Cluster' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cluster' }).waitFor();
    const garage = page.getByRole('row', { name: /garage/ });
    await until(() => garage.getByRole('cell').allInnerTexts()).toEqual([
      'garage',
      '1 of 8',
      '1 of 1',
      '17.2 GB',
      '3f2a9c1e',
    ]);
    await page.getByText('Waiting for 8 GPUs: the largest node has 1 GPU.').waitFor();
    expect(await garage.getByRole('link').getAttribute('href')).toMatch(/^#\/jobs\/3f2a9c1e/);
  });

  it('says why nothing is known of it, and that there is none', async () => {
    const problem = 'The cluster does not answer.';
    const away = await openStudio('#/cluster', {
      arrange: withCluster({ version: null, problem, nodes: [] }),
    });
    await away.page.getByText(problem).waitFor();
    const none = await openStudio('#/cluster');
    await none.page.getByText('No cluster').waitFor();
  });
});
