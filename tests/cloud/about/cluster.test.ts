// The cluster that a cloud trains on, as the members of a project see it.
import { afterEach, expect, it } from 'vitest';
import type { Cluster } from '../../../lib/contract/index.js';
import { sampleCluster } from '../../support/sample-cluster.js';
import { openProjectCloud, type ProjectCloud } from '../project-api/project-cloud.js';
import { createTuning } from '../project-api/tuning-jobs.js';

let cloud: ProjectCloud | undefined;
afterEach(() => cloud?.close());

it('is null for a cloud that trains on its own machine', async () => {
  cloud = await openProjectCloud();
  expect(await cloud.svc.getCluster()).toEqual({ cluster: null });
});

it('is described with the jobs of the project, and of no other', async () => {
  const { kind, url, version, problem, nodes } = sampleCluster();
  const cluster: Cluster = { kind, url, version, problem, nodes };
  cloud = await openProjectCloud({ readCluster: async () => cluster });
  const { id } = await createTuning(cloud);
  const run = await cloud.runner.next();
  run.waitsFor('Waiting for a GPU.');
  expect((await cloud.svc.getCluster()).cluster).toEqual({
    ...cluster,
    runs: [],
    waits: [{ jobId: id, reason: 'Waiting for a GPU.' }],
  });
  const other = await cloud.openOther();
  expect(await other.svc.getCluster()).toEqual({ cluster: { ...cluster, runs: [], waits: [] } });
});
