// The cluster that the cloud trains on, in a terminal: a line for each node with its jobs, and for each job that waits.
import type { ClusterAnswer } from '../contract/index.js';
import { clusterRows } from './cluster-text.js';
import { shortId } from './labels.js';
import { fitText, type Span } from './spans.js';

interface ClusterItem {
  readonly id: string;
  /** The job that is shown in the row, or the first of several; null for a node without one. */
  readonly jobId: string | null;
  cells(width: number): Span[];
}

export function clusterItems({ cluster }: ClusterAnswer): ClusterItem[] {
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
