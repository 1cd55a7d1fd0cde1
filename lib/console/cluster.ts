// The cluster that the cloud trains on: a one-line summary of its use, and details of running and waiting
// jobs.
import type { Cluster, ClusterActivity, ClusterResponse, ClusterShare } from '../contract/index.js';
import { shortId } from './labels.js';
import { formatBytes } from './text/format.js';
import { fitText, type Span } from './text/spans.js';

/** Null while the cluster does not respond. */
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

interface ClusterNodeRow {
  readonly name: string;
  readonly cpus: string;
  readonly gpus: string;
  readonly memory: string;
  /** The jobs running on the node. */
  readonly jobIds: readonly string[];
}

interface WaitingRow {
  readonly jobId: string;
  readonly reason: string;
}

/** A row for each node, and one for each waiting job. */
export function clusterRows({ nodes, runs, waits }: ClusterActivity): {
  nodes: ClusterNodeRow[];
  waiting: WaitingRow[];
} {
  const hasReason = new Set(waits.map(({ jobId }) => jobId));
  const starting = runs.filter(({ worker, jobId }) => worker === null && !hasReason.has(jobId));
  return {
    nodes: nodes.map(node => ({
      name: `${node.name}${node.isHead ? ' (head)' : ''}`,
      cpus: shareText(node.cpus),
      gpus: shareText(node.gpus),
      memory: formatBytes(node.memory.total),
      jobIds: runs
        .filter(({ worker }) => worker === node.address || worker === node.name)
        .map(({ jobId }) => jobId),
    })),
    waiting: [...starting.map(({ jobId }) => ({ jobId, reason: 'Starting.' })), ...waits],
  };
}

/** `2 of 6`, or only the total if the use is unknown. */
function shareText({ total, used }: ClusterShare): string {
  return used === null || total === 0 ? String(total) : `${used} of ${total}`;
}

const MOST_LINES = 20;

interface ClusterLine {
  kind: 'node' | 'waiting';
  text: string;
}

/**
 * Which job runs where, and what other jobs wait for: a line for each node and each waiting job, up to a
 * limit each.
 */
export function describePlaces({ nodes, runs, waits, ...rest }: ClusterActivity): ClusterLine[] {
  const rows = clusterRows({ nodes, runs, waits, ...rest });
  const lines = nodes.map((node, index) => {
    const about = [
      describeShare(node.cpus, 'CPU'),
      ...(node.gpus.total > 0 ? [describeShare(node.gpus, 'GPU')] : []),
      `${formatBytes(node.memory.total)} of memory`,
      ...rows.nodes[index]!.jobIds.map(id => `job ${id}`),
    ];
    return `${rows.nodes[index]!.name}: ${about.join(', ')}`;
  });
  const waiting = rows.waiting.map(({ jobId, reason }) => `job ${jobId}: ${reason}`);
  return [
    ...limit(lines).map(text => ({ kind: 'node', text }) as const),
    ...limit(waiting).map(text => ({ kind: 'waiting', text }) as const),
  ];
}

function limit(lines: readonly string[]): string[] {
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `and ${rest} more`] : [...lines];
}

/** A row in the terminal: a node with its jobs, or a waiting job. */
interface ClusterItem {
  readonly id: string;
  /** The row's job, or the first of several; null for an idle node. */
  readonly jobId: string | null;
  cells(width: number): Span[];
}

export function clusterItems({ cluster }: ClusterResponse): ClusterItem[] {
  if (!cluster || cluster.problem !== null) return [];
  const { nodes, waiting } = clusterRows(cluster);
  return [
    ...nodes.map(({ name, cpus, gpus, memory, jobIds }, index) => ({
      id: `node ${index}`,
      jobId: jobIds[0] ?? null,
      cells: (width: number) => [
        { text: nodeCells([name, cpus, gpus, memory, jobIds.map(shortId).join(', ') || '–'], width) },
      ],
    })),
    ...waiting.map(({ jobId, reason }) => ({
      id: jobId,
      jobId,
      cells: (): Span[] => [
        { text: ` Job ${shortId(jobId)} waits: `, style: { tone: 'queued' } },
        { text: reason },
      ],
    })),
  ];
}

export const clusterTitles = (width: number) => nodeCells(['Node', 'CPUs', 'GPUs', 'Memory', 'Jobs'], width);

const FIGURE = 9;
const MEMORY = 12;
const NAME = { least: 8, most: 28 };

type NodeTexts = readonly [name: string, cpus: string, gpus: string, memory: string, jobs: string];

function nodeCells([name, cpus, gpus, memory, jobs]: NodeTexts, width: number): string {
  const nameWidth = Math.max(NAME.least, Math.min(NAME.most, width - 2 * FIGURE - MEMORY - 12));
  const figures = fitText(cpus, FIGURE) + fitText(gpus, FIGURE) + fitText(memory, MEMORY);
  return ` ${fitText(name, nameWidth)}  ${figures}${jobs}`;
}
