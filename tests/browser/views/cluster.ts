import { expect, it } from 'vitest';
import { refusal } from '../../support/fake-studio.js';
import { sampleCluster } from '../../support/sample-cluster.js';
import { openStudio, until } from '../harness.js';

it('The cluster that the cloud trains on is named on the overview, and has a page with its nodes, what runs where, what waits, and why nothing is known', async () => {
  const { page, world, sees, follow, reload } = await openStudio('#/', {
    arrange: opened => {
      opened.cluster = sampleCluster();
    },
  });
  await sees('Ray 2.60.0: 3 nodes');
  await follow('Cluster').isOn('Cluster');
  const garage = page.getByRole('row', { name: /garage/ });
  await until(() => garage.getByRole('cell').allInnerTexts()).toEqual([
    'garage',
    '1 of 8',
    '1 of 1',
    '17.2 GB',
    '3f2a9c1e',
  ]);
  await sees('Waiting for 8 GPUs: the largest node has 1 GPU.');
  expect(await garage.getByRole('link').getAttribute('href')).toMatch(/^#\/jobs\/3f2a9c1e/);
  const problem = 'The cluster does not answer.';
  world.cluster = sampleCluster({ version: null, problem, nodes: [] });
  await reload().sees(problem);
  world.cluster = null;
  await reload().sees('No cluster');
});

it('The cluster is on the overview as it is by now, also after a cloud that was away', async () => {
  const { page, studio, world, sees } = await openStudio('#/', {
    prepare: page => page.clock.install(),
    arrange: opened => {
      opened.failures.getCluster = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
    },
  });
  await until(() => studio.callsOf('getCluster').length).toBeGreaterThan(0);
  delete world.failures.getCluster;
  world.cluster = sampleCluster();
  await page.clock.runFor(10_000);
  await sees('Ray 2.60.0: 3 nodes');
  const problem = 'The cluster does not answer.';
  world.cluster = sampleCluster({ version: null, problem, nodes: [] });
  await page.clock.runFor(10_000);
  await sees(problem);
});
