// A cluster in one line, and what runs and waits there.
import { expect, it } from 'vitest';
import { clusterRows, describeCluster, describePlaces } from '../../lib/console/cluster-text.js';
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

it('says what runs on each node, what is about to start, and what waits for what', () => {
  const nodes = [
    { ...node(0, 0), name: 'head', isHead: true },
    { ...node(4, 1, 1), name: 'gpu', address: '10.0.0.7' },
  ];
  const runs = [
    { jobId: 'one', attempt: 1, worker: '10.0.0.7' },
    { jobId: 'two', attempt: 1, worker: null },
  ];
  const waits = [{ jobId: 'three', reason: 'Waiting for 8 GPUs: the largest node has 1 GPU.' }];
  expect(describePlaces({ ...cluster, nodes, runs, waits })).toEqual([
    { kind: 'node', text: 'head (head): 0 CPUs, 1.1 GB of memory' },
    { kind: 'node', text: 'gpu: 1 of 4 CPUs in use, 1 of 1 GPU in use, 1.1 GB of memory, job one' },
    { kind: 'waiting', text: 'job two: Starting.' },
    { kind: 'waiting', text: 'job three: Waiting for 8 GPUs: the largest node has 1 GPU.' },
  ]);
});

it('says once of a job that starts why it has not started yet', () => {
  const runs = [{ jobId: 'two', attempt: 1, worker: null }];
  const waits = [{ jobId: 'two', reason: 'Starting on the Ray cluster.' }];
  expect(clusterRows({ ...cluster, nodes: [], runs, waits }).waiting).toEqual(waits);
});

it('leaves out most of a thousand nodes', () => {
  const nodes = Array.from({ length: 1000 }, () => node(1, 0));
  const lines = describePlaces({ ...cluster, nodes, runs: [], waits: [] });
  expect([lines.length, lines.at(-1)!.text]).toEqual([21, 'and 980 more']);
});
