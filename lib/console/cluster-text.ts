// A cluster in one line: what answers, and how much of it is in use.
import type { Cluster, ClusterShare } from '../contract/index.js';
import { formatBytes } from './format.js';

/** Null while the cluster does not answer. */
export function describeCluster({ version, problem, nodes }: Cluster): string | null {
  if (problem !== null || version === null) return null;
  const sum = (share: 'cpus' | 'gpus' | 'memory') =>
    nodes.map(node => node[share]).reduce(add, { total: 0, used: 0 });
  const memory = sum('memory');
  const parts = [
    `${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`,
    describeShare(sum('cpus'), 'CPU'),
    describeShare(sum('gpus'), 'GPU'),
    `${formatBytes(memory.total)} of memory`,
  ];
  return `Ray ${version}: ${parts.join(', ')}`;
}

function add(one: ClusterShare, other: ClusterShare): ClusterShare {
  const used = one.used === null || other.used === null ? null : one.used + other.used;
  return { total: one.total + other.total, used };
}

function describeShare({ total, used }: ClusterShare, unit: string): string {
  const units = `${unit}${total === 1 ? '' : 's'}`;
  return used === null || total === 0 ? `${total} ${units}` : `${used} of ${total} ${units} in use`;
}
