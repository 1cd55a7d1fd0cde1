import { describe, expect, it } from 'vitest';
import { sampleCluster } from '../../support/sample-cluster.js';
import { openStudio, until } from '../harness.js';

describe('The cluster that the cloud trains on', () => {
  it('is named on the overview, and has a page with its nodes, what runs where, what waits, and why nothing is known', async () => {
    const { page, world } = await openStudio('#/', {
      arrange: opened => {
        opened.cluster = sampleCluster();
      },
    });
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
    const problem = 'The cluster does not answer.';
    world.cluster = sampleCluster({ version: null, problem, nodes: [] });
    await page.reload();
    await page.getByText(problem).waitFor();
    world.cluster = null;
    await page.reload();
    await page.getByText('No cluster').waitFor();
  });
});
