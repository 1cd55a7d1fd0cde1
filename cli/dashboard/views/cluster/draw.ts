// The cluster as lines: what there is in all, a row for each node with its jobs, and the jobs that wait for a place.
import { describeCluster, shortId } from '../../../../lib/console/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import {
  centered,
  cutLine,
  fitHeight,
  fitLine,
  type Line,
  line,
  quiet,
  span,
  spread,
} from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { paragraph, problemRows, waitingLine } from '../../drawing/words.js';
import { type ClusterItem, type ClusterState, chosenItem, itemsIn } from './state.js';

const FIGURE = 9;
const MEMORY = 12;
const MOST_NAME = 28;

export function listHeight(state: ClusterState, canvas: Canvas): number {
  return Math.max(1, canvas.height - headLines(state, canvas).length);
}

export function drawCluster(state: ClusterState, canvas: Canvas): Drawn {
  const { width } = canvas;
  const head = headLines(state, canvas);
  const items = itemsIn(state);
  const room = listHeight(state, canvas);
  if (items.length === 0) return { lines: [...head, ...centered(emptyLines(state), width, room)] };
  const place = { chosen: chosenItem(state), top: state.top, width, inSight: room };
  const rows = listRows(items, place, item => [itemLine(item, width)]);
  return { lines: [...head, ...fitHeight(rows, room)] };
}

function headLines({ fetched }: ClusterState, canvas: Canvas): Line[] {
  const { width } = canvas;
  const cluster = fetched.value?.cluster ?? null;
  const url = cluster ? line(`${cluster.url} `, quiet) : [];
  const said = cluster && describeCluster(cluster);
  return [
    spread([span(' '), span('Cluster', { bold: true })], url, width),
    ...problemRows(fetched.problem ?? cluster?.problem ?? null, canvas),
    ...(said ? paragraph(said, width - 2, quiet).map(row => [span(' '), ...row]) : []),
    [],
    ...(said ? [titleLine(width)] : []),
  ];
}

function emptyLines({ fetched }: ClusterState): Line[] {
  if (!fetched.value) return waitingLine(fetched.isSlow && fetched.problem === null);
  if (fetched.value.cluster) return [];
  return [line('No cluster', { bold: true }), line('The cloud trains on its own machine.', quiet)];
}

const nameWidth = (width: number) => Math.max(8, Math.min(MOST_NAME, width - 2 * FIGURE - MEMORY - 12));

function titleLine(width: number): Line {
  return cells(
    ['Node', 'CPUs', 'GPUs', 'Memory', 'Jobs'].map(title => [span(title, quiet)]),
    width,
  );
}

function itemLine(item: ClusterItem, width: number): Line {
  if ('waiting' in item) {
    const { jobId, reason } = item.waiting;
    return cutLine([span(` Job ${shortId(jobId)} waits: `, { tone: 'queued' }), span(reason)], width);
  }
  const { name, cpus, gpus, memory, jobIds } = item.node;
  const jobs = jobIds.length > 0 ? jobIds.map(shortId).join(', ') : '–';
  return cells([[span(name)], [span(cpus)], [span(gpus)], [span(memory)], [span(jobs)]], width);
}

function cells([name, cpus, gpus, memory, jobs]: readonly Line[], width: number): Line {
  return cutLine(
    [
      span(' '),
      ...fitLine(name!, nameWidth(width)),
      span('  '),
      ...fitLine(cpus!, FIGURE),
      ...fitLine(gpus!, FIGURE),
      ...fitLine(memory!, MEMORY),
      ...jobs!,
    ],
    width,
  );
}
