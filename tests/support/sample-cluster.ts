// A cluster of three nodes on which one job runs, one starts and one waits.
import type { ClusterActivity, ClusterNode } from '../../lib/contract/index.js';

const node = (name: string, cpus: number, used: number, gpus: number, isHead = false): ClusterNode => ({
  name,
  address: { head: '10.0.0.4', garage: '10.0.0.7', cellar: '10.0.0.8' }[name] ?? name,
  isHead,
  cpus: { total: cpus, used },
  gpus: { total: gpus, used: Math.min(gpus, used) },
  memory: { total: 16 * 2 ** 30, used: 0 },
});

const CLUSTER_JOBS = {
  running: '3f2a9c1e-7a51-4b8e-9d3a-0c2f5b6d7e80',
  starting: '4f2a9c1e-7a51-4b8e-9d3a-0c2f5b6d7e80',
  waiting: '5f2a9c1e-7a51-4b8e-9d3a-0c2f5b6d7e80',
};

export function sampleCluster(fields: Partial<ClusterActivity> = {}): ClusterActivity {
  return {
    kind: 'ray',
    url: 'http://127.0.0.1:8265',
    version: '2.60.0',
    problem: null,
    nodes: [node('head', 4, 0, 0, true), node('garage', 8, 1, 1), node('cellar', 8, 0, 0)],
    runs: [
      { jobId: CLUSTER_JOBS.running, attempt: 1, worker: '10.0.0.7' },
      { jobId: CLUSTER_JOBS.starting, attempt: 1, worker: null },
    ],
    waits: [{ jobId: CLUSTER_JOBS.waiting, reason: 'Waiting for 8 GPUs: the largest node has 1 GPU.' }],
    ...fields,
  };
}
