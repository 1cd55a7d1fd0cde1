// A cluster in one line.
import { expect, it } from 'vitest';
import { describeCluster } from '../../lib/console/cluster-text.js';
import type { ClusterNode } from '../../lib/contract/index.js';

const node = (cpus: number, used: number | null, gpus = 0): ClusterNode => ({
  name: 'a',
  address: '10.0.0.1',
  isHead: false,
  cpus: { total: cpus, used },
  gpus: { total: gpus, used: gpus > 0 ? 1 : 0 },
  memory: { total: 2 ** 30, used: 0 },
});
const cluster = { kind: 'ray', url: 'http://head:8265', version: '2.60.0', problem: null } as const;

it('says how much of the cluster is in use', () => {
  expect(describeCluster({ ...cluster, nodes: [node(8, 3, 2), node(4, 1)] })).toBe(
    'Ray 2.60.0: 2 nodes, 4 of 12 CPUs in use, 1 of 2 GPUs in use, 2.1 GB of memory',
  );
});

it('does not guess what a cluster does not say', () => {
  expect(describeCluster({ ...cluster, nodes: [node(1, null)] })).toBe(
    'Ray 2.60.0: 1 node, 1 CPU, 0 GPUs, 1.1 GB of memory',
  );
});

it('says nothing while the cluster is away', () => {
  expect(describeCluster({ ...cluster, version: null, problem: 'It is away.', nodes: [] })).toBeNull();
});
